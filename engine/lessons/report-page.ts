/** The page around a report of a class or what one student is told: no scripts, links or anything to load. */
import { t } from '../text';
import { escapeHtml } from './inline';
import { reportStyle } from './report-style';

/** `title` is escaped here; `body` is HTML. `kind`: the class of the body that the style sheet knows. */
export const reportPage = (title: string, body: string, kind = ''): string => `<!doctype html>
<html lang="${t('en')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title><style>${reportStyle}</style></head><body${kind && ` class="${kind}"`}>
${body}
</body></html>
`;

/** Points as they are shown: at most two digits. */
export const pointsText = (x: number): string => String(Number(x.toFixed(2)));
