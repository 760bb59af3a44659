import { withTexts } from './language';
import { startLesson } from './lesson';
import { startCapture } from './capture';
import { startModel } from './model';
import { startPage } from './page';
import { serve } from './compute';
import './style.css';

/*
 * The one script, of all pages and of their workers: a page may load no second one, so a worker is started from this bundle's own text
 * (esbuild.mjs makes a function of it). The host's HTML says which page it is. No module may ask for the document while it is imported; the toolkit does (toolkit.ts).
 */

/** The bundle around this file. */
declare const bundle: () => void;

const ownSource = (): string => withTexts(`(${String(bundle)})()`);

if (typeof document === 'undefined') serve();
else if (document.body.dataset['page'] === 'lesson') startLesson();
else if (document.body.dataset['page'] === 'model') startModel();
else if (document.body.dataset['page'] === 'capture') startCapture();
else void startPage(ownSource);
