import { createRequire } from 'node:module';
import { z } from 'zod';
import { WaymarkError } from '../errors.js';
import type { JsonSchema } from '../protocol/api.js';

/** A tool's input as hosts write it: a zod 4, zod 3 or zod/mini schema, a raw shape of such, or plain JSON Schema. */
export type InputSchemaSource = object;

/** What the registry needs of an input: a check that keeps defaults and transforms, and the schema that is sent. */
export interface InputSchema {
  schema: z.ZodType;
  jsonSchema: JsonSchema;
}

/** The few parts of a foreign schema that are used: every zod, of either major version and any copy, has them. */
interface ParserLike {
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: ForeignIssue[] } };
}
interface ForeignIssue {
  path?: PropertyKey[];
  message?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// zod 4 and zod/mini carry `_zod`, zod 3 `_def` with a type name. `instanceof` would fail on a second copy of zod.
const isZod4 = (value: unknown): value is z.core.$ZodType => isObject(value) && '_zod' in value;
const isZod3 = (value: unknown): value is ParserLike =>
  isObject(value) && !('_zod' in value) && isObject(value._def) && 'typeName' in value._def;

/** Whether the value is a raw shape: an object whose values are all zod schemas. An empty object is an empty shape. */
function isShape(value: Record<string, unknown>): boolean {
  return Object.values(value).every((field) => isZod4(field) || isZod3(field));
}

/**
 * Turns any accepted form into one check and one JSON Schema of root type `object`.
 *
 * @throws WaymarkError `invalid_schema` when a type that has fields would be sent without any, or the form is unknown.
 *   A converter for one major version of zod gives an empty schema for the other without a word.
 */
export function inputSchema(name: string, source: InputSchemaSource | undefined): InputSchema {
  if (source === undefined) return fromJsonSchema(name, {});
  if (isZod4(source)) return fromZod4(name, source);
  if (isZod3(source)) return fromZod3(name, source);
  const object = source as Record<string, unknown>;
  if (isShape(object)) return fromShape(name, object);
  if (Object.values(object).some((field) => isZod4(field) || isZod3(field))) {
    const odd = Object.keys(object).filter((key) => !isZod4(object[key]) && !isZod3(object[key]));
    throw new WaymarkError(
      'invalid_schema',
      `Tool ${name}: not a zod schema in its shape: ${odd.join(', ')}.`,
    );
  }
  return fromJsonSchema(name, object);
}

/** The JSON Schema of a zod 4 type, in the form the API takes as `input_schema`. */
export function toolJsonSchema(name: string, schema: z.core.$ZodType): JsonSchema {
  const known = converted.get(schema);
  if (known) return known;
  // The input side: what the model must send, before defaults and transforms are applied.
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  const root = objectRoot(name, json);
  converted.set(schema, root);
  return root;
}

/** Every session sends the same tools: each schema is converted once in a process. */
const converted = new WeakMap<z.core.$ZodType, JsonSchema>();

function fromZod4(name: string, schema: z.core.$ZodType): InputSchema {
  const jsonSchema = toolJsonSchema(name, schema);
  const check = 'safeParse' in schema ? (schema as z.ZodType) : foreignCheck(name, miniParser(schema));
  return { schema: check, jsonSchema };
}

// A schema of zod/mini or of another copy parses through the core functions of ours.
function miniParser(schema: z.core.$ZodType): ParserLike {
  return { safeParse: (value) => z.core.safeParse(schema, value) as ReturnType<ParserLike['safeParse']> };
}

function fromZod3(name: string, schema: ParserLike): InputSchema {
  const root = objectRoot(name, zod3JsonSchema(schema));
  const fields = zod3Fields(schema);
  if (fields > 0 && Object.keys(root.properties as object).length === 0) throw emptySchema(name);
  return { schema: foreignCheck(name, schema), jsonSchema: root };
}

// Both are loaded when a zod 3 type is really met: few hosts have one left.
const loadCommonJs = createRequire(import.meta.url);

function loadZod3(): typeof import('zod/v3') {
  return loadCommonJs('zod/v3') as typeof import('zod/v3');
}

function zod3JsonSchema(schema: object): JsonSchema {
  const { zodToJsonSchema } = loadCommonJs('zod-to-json-schema') as typeof import('zod-to-json-schema');
  const { $schema: _, ...json } = zodToJsonSchema(schema as never, { $refStrategy: 'none' }) as JsonSchema;
  return json;
}

function zod3Fields(schema: object): number {
  const shape = (schema as { shape?: unknown }).shape;
  return isObject(shape) ? Object.keys(shape).length : 0;
}

function fromShape(name: string, shape: Record<string, unknown>): InputSchema {
  const fields = Object.entries(shape);
  if (fields.every(([, field]) => isZod4(field))) {
    return fromZod4(name, z.object(shape as Record<string, z.ZodType>));
  }
  // zod 3, or both mixed: each field is converted and checked by its own version.
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [key, field] of fields) {
    const part = isZod4(field)
      ? z.toJSONSchema(z.object({ [key]: field as z.ZodType }), { io: 'input', target: 'draft-7' })
      : zod3JsonSchema(loadZod3().z.object({ [key]: field as never }));
    properties[key] = isObject(part.properties) ? (part.properties[key] ?? {}) : {};
    if (Array.isArray(part.required) && part.required.includes(key)) required.push(key);
  }
  // A zod 3 default must be applied although the key is absent, so every field is parsed, present or not.
  const schema = z.record(z.string(), z.unknown()).transform((input, context) => {
    const output: Record<string, unknown> = {};
    for (const [key, field] of fields) {
      const parsed = isZod4(field)
        ? z.core.safeParse(field, input[key])
        : (field as ParserLike).safeParse(input[key]);
      if (parsed.success) {
        if (parsed.data !== undefined) output[key] = parsed.data;
      } else addIssues(context, parsed.error.issues as ForeignIssue[], input, [key]);
    }
    return output;
  });
  return { schema, jsonSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) } };
}

function fromJsonSchema(name: string, json: Record<string, unknown>): InputSchema {
  const { $schema: _, ...rest } = json;
  const root = objectRoot(name, rest);
  // The server behind the tool checks the rest; here the model's missing keys get a clear answer.
  const required = Array.isArray(root.required) ? root.required.filter((key) => typeof key === 'string') : [];
  const schema = z.record(z.string(), z.unknown()).check((context) => {
    for (const key of required) {
      if (!(key in context.value)) {
        context.issues.push({ code: 'custom', message: 'missing', path: [key], input: context.value });
      }
    }
  });
  return { schema, jsonSchema: root };
}

/** Runs a parser of another zod inside ours, so that its issues keep their paths. */
function foreignCheck(_name: string, parser: ParserLike): z.ZodType {
  return z.unknown().transform((input, context) => {
    const parsed = parser.safeParse(input);
    if (parsed.success) return parsed.data;
    addIssues(context, parsed.error.issues, input, []);
    return z.NEVER;
  });
}

function addIssues(
  context: { issues: z.core.$ZodRawIssue[] },
  issues: ForeignIssue[],
  input: unknown,
  prefix: PropertyKey[],
): void {
  for (const issue of issues) {
    const path = [...prefix, ...(issue.path ?? [])];
    context.issues.push({ code: 'custom', message: issue.message ?? 'invalid', path, input });
  }
}

/**
 * The API refuses a whole request when one tool's root is no plain object or is a union. The branches of a union are
 * merged: every property is offered, required is what all branches require; the exact constraint is checked locally.
 */
function objectRoot(name: string, json: JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf, ...rest } = json;
  const groups = [anyOf, oneOf, allOf].filter(Array.isArray);
  const branches = groups
    .flat()
    .filter(isObject)
    .map((branch) => objectRoot(name, branch));
  if (rest.type !== undefined && rest.type !== 'object') {
    throw new WaymarkError(
      'invalid_schema',
      `Tool ${name}: its input must be an object, not ${String(rest.type)}.`,
    );
  }
  const properties: Record<string, unknown> = { ...(isObject(rest.properties) ? rest.properties : {}) };
  for (const branch of branches) {
    for (const [key, value] of Object.entries(branch.properties as Record<string, unknown>)) {
      properties[key] = key in properties ? mergeProperty(properties[key], value) : value;
    }
  }
  const requiredOf = (schema: JsonSchema): string[] =>
    Array.isArray(schema.required) ? schema.required : [];
  const required = new Set(requiredOf(rest));
  if (Array.isArray(allOf)) for (const key of allOf.filter(isObject).flatMap(requiredOf)) required.add(key);
  for (const union of [anyOf, oneOf].filter(Array.isArray)) {
    const [first, ...others] = union.filter(isObject).map(requiredOf);
    for (const key of first ?? []) if (others.every((list) => list.includes(key))) required.add(key);
  }
  const { properties: _p, required: _r, type: _t, ...keep } = rest;
  // In a union a branch forbids the keys of its sisters; the merged root must not.
  if (branches.length > 0) delete keep.additionalProperties;
  return { type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}), ...keep };
}

function mergeProperty(one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const values = [one, other].flatMap((schema) =>
    isObject(schema) && 'const' in schema
      ? [schema.const]
      : isObject(schema) && Array.isArray(schema.enum)
        ? schema.enum
        : [],
  );
  const isClosed = (schema: unknown) => isObject(schema) && ('const' in schema || Array.isArray(schema.enum));
  if (isClosed(one) && isClosed(other)) return { enum: [...new Set(values)] };
  return { anyOf: [one, other] };
}

function emptySchema(name: string): WaymarkError {
  return new WaymarkError(
    'invalid_schema',
    `Tool ${name}: its input type has fields, but the schema came out empty. ` +
      'Use one version of zod for the whole shape, or give plain JSON Schema.',
  );
}
