// Tests with too many cases for each `npm test` take a fixed sample of them there, and all of them in `npm run thorough`.

/** Whether all cases are to be run. */
export const thorough = process.env['THOROUGH'] === '1';
