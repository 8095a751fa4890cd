/** How the bytes of a file are to be read. `binary` has no text form. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'binary';

/** Tells by the first bytes. NUL bytes without a UTF-16 mark mean binary. */
export function detectEncoding(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return start.subarray(0, 8192).includes(0) ? 'binary' : 'utf-8';
}

/**
 * The text of UTF-8 bytes, a byte order mark kept as its first character, so that encoding it again gives the same
 * bytes. Undefined when the bytes are no UTF-8: any text made of them would lose some.
 */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // `fatal` has one error only: the bytes are no UTF-8.
    return undefined;
  }
}

/** Text with half a surrogate pair has no UTF-8 form: writing it would put U+FFFD in its place. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The image formats that the model takes, told by content, never by the name. */
export function detectImage(start: Uint8Array): ImageType | undefined {
  const ascii = Buffer.from(start.subarray(0, 16)).toString('latin1');
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(ascii)) return 'image/gif';
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/** What a binary file is, for the message that refuses it. Undefined when the bytes say nothing. */
export function describeBinary(start: Uint8Array): string | undefined {
  const ascii = Buffer.from(start.subarray(0, 16)).toString('latin1');
  if (ascii.startsWith('%PDF-')) return 'a PDF document';
  if (ascii.startsWith('PK\x03\x04')) return 'a ZIP archive (also docx, xlsx, jar)';
  if (ascii.startsWith('\x1f\x8b')) return 'gzip data';
  if (ascii.startsWith('\x7fELF')) return 'a Linux program';
  if (ascii.startsWith('SQLite format 3')) return 'an SQLite database';
  return undefined;
}
