/** The few globals the engine may use beyond ECMAScript: present in pages, workers, Node and both extension hosts. */
declare function setTimeout(callback: () => void, milliseconds?: number): unknown;
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array): string;
}
