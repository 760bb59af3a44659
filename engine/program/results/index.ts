/** A printed result of a program: which step of the code it is, and beside it attention with the code's mistakes mended. */
export { checkCode, stepAsPrinted, type CodeChecked } from './check';
export { commentsOf, resultsInComments, type CommentedResult } from './comments';
export { matrixName, stackOf, type PrintedStack } from './stack';
export { codeVerdict, codeWords, isRight } from './words';
