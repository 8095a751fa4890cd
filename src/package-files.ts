import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { systemCode } from './errors.js';

interface PackageFacts {
  root: string;
  version: string;
}

let facts: PackageFacts | undefined;

/** The version of the installed package. */
export function packageVersion(): string {
  return packageFacts().version;
}

/** The address of a compiled file, such as `demo/worker.js`, for a process or thread that is to run it. */
export function compiledFile(path: string): string {
  return pathToFileURL(join(packageFacts().root, 'dist', path)).href;
}

/**
 * Found by going up to the package's own `package.json`: how many compiled files there are, and in which folders, is the
 * build's affair.
 */
function packageFacts(): PackageFacts {
  for (let folder = dirname(fileURLToPath(import.meta.url)); !facts; ) {
    const found = readManifest(join(folder, 'package.json'));
    const parent = dirname(folder);
    if (found?.name === 'waymark') facts = { root: folder, version: found.version };
    else if (parent === folder) facts = { root: folder, version: 'unknown' };
    folder = parent;
  }
  return facts;
}

function readManifest(path: string): { name: unknown; version: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('name' in parsed)) return undefined;
    const version = 'version' in parsed && typeof parsed.version === 'string' ? parsed.version : 'unknown';
    return { name: parsed.name, version };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
