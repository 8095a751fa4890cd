import type { Environment } from '../../environment.js';
import { builtInEngine } from './built-in.js';
import { findOnPath, packagedRipgrep, ripgrepEngine } from './ripgrep.js';
import type { SearchEngine } from './search.js';

/** The best engine here: the packaged ripgrep, else `rg` on `PATH`, else the built-in search. Never none. */
export async function chooseEngine(env: Environment): Promise<SearchEngine> {
  const program = (await packagedRipgrep()) ?? findOnPath('rg', env);
  return program === undefined ? builtInEngine() : ripgrepEngine(program);
}
