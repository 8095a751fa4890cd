import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode, WaymarkError } from '../errors.js';

/** Linux gives up after 40 links as well (`ELOOP`). */
const MOST_LINKS = 40;

function loopError(path: string, cause?: unknown): WaymarkError {
  return new WaymarkError(
    'invalid_input',
    `${path} is a loop of symbolic links and leads to no file. Remove or correct one of the links.`,
    { cause, details: { path } },
  );
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = systemCode(error);
    // Nothing there, or something that is no link: both mean that there is no target to follow.
    if (code === 'ENOENT' || code === 'EINVAL' || code === 'UNKNOWN') return undefined;
    throw error;
  }
}

async function follow(path: string, links: number, asked: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP') throw loopError(asked, error);
    if (code === 'ENOTDIR') {
      throw new WaymarkError(
        'invalid_input',
        `${asked} cannot exist: a part of the path before its name is a file, not a folder.`,
        { cause: error, details: { path: asked } },
      );
    }
    if (code !== 'ENOENT') throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await follow(parent, links, asked);
  // A link to a file that does not exist yet: writing would make the target, so the target is the real path.
  const target = await linkTarget(join(realParent, basename(path)));
  if (target === undefined) return join(realParent, basename(path));
  if (links >= MOST_LINKS) throw loopError(asked);
  return follow(resolve(realParent, target), links + 1, asked);
}

/**
 * The path with all links and `..` resolved; of a file that does not exist, the place where writing would make it.
 * Throws `invalid_input` for a loop of links and for a path that leads through a file.
 */
export function resolveRealPath(absolutePath: string): Promise<string> {
  return follow(absolutePath, 0, absolutePath);
}
