import { withTexts } from './texts';
import { startPage } from './start';
import { serve } from './worker';
import './style.css';

/*
 * The one script, of the page and of its workers: a page may load no second one, so a worker is started from this bundle's own text
 * (esbuild.mjs makes a function of it). No module may ask for the document while it is imported; the toolkit does (toolkit.ts).
 */

/** The bundle around this file. */
declare const bundle: () => void;

const ownSource = (): string => withTexts(`(${String(bundle)})()`);

if (typeof document === 'undefined') serve();
else void startPage(ownSource);
