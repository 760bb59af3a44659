/** Codes in the place of names: who marks does not know whose paper it is. */
import { bytesToHex } from '@noble/hashes/utils';
import { sha256 } from '@noble/hashes/sha2';

/** Without vowels, so that no word comes out, and without characters that look alike. */
const letters = '23456789BCDFGHJKMNPQRSTVWXZ';
const length = 6;

/** A code for each student, all different; they follow from the class's seed and the names alone, and say nothing of either. */
export function codesOf(students: readonly string[], seed: number): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const codes = new Map<string, string>();
  for (const student of students)
    for (let attempt = 0; !codes.has(student); attempt++) {
      const code = codeOf(`explain-attention code 1\n${seed}\n${student}\n${attempt}\n`);
      if (taken.has(code)) continue;
      taken.add(code);
      codes.set(student, code);
    }
  return codes;
}

function codeOf(text: string): string {
  let rest = BigInt(`0x${bytesToHex(sha256(new TextEncoder().encode(text)))}`);
  let code = '';
  for (let i = 0; i < length; i++) {
    code += letters[Number(rest % BigInt(letters.length))] ?? '';
    rest /= BigInt(letters.length);
  }
  return code;
}
