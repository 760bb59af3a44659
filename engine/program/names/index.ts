/** What the names of a selection stand for, and the name at a place: `engine/parse/` asks for it where code computes. */
import type { NameReader } from '../../parse';
import { nameAt, namesOf } from './read';

export { nameAt, namesOf };

/** Reads programs in the thread that asks. */
export const nameReader: NameReader = { namesOf, nameAt };
