/** Makes a spec of an attention of a program whose steps are the code's own, run again and compared number by number. */
export { type CellStart, type Listed, chosen as chosenIn, inCell, listed, nodesOf } from './choose';
export { explaining, standInSeed } from './explain';
export { layerCalled, lineAt, lineStarts, namerOf } from './names';
export { layerPathOf } from './paths';
export { explainingOneOf, readingAttention } from './text';
export { type Source, type Written, newSource, numbersOf, tooLarge } from './values';
