import { styleText } from 'node:util';
import type { Environment } from '../environment.js';

/**
 * Whether to colour, in this order: `FORCE_COLOR` (`0` or `false` is off, anything else that is set is on),
 * a non-empty `NO_COLOR` (off), `TERM=dumb` (off), else whether the stream is a terminal.
 */
export function wantsColour(env: Environment, isTerminal: boolean): boolean {
  const force = env.FORCE_COLOR?.trim().toLowerCase();
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env.NO_COLOR) return false;
  if (env.TERM === 'dumb') return false;
  return isTerminal;
}

type Format = Extract<Parameters<typeof styleText>[0], string>;

export type Paint = (format: Format, text: string) => string;

/** Styles text when colour is on. The choice is made once, above, so Node's own look at stdout is switched off. */
export function painter(colour: boolean): Paint {
  return colour
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}
