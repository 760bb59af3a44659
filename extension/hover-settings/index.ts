/* Settings of hovers and code lenses. A room of its own, since activation reads them before anything else is loaded. */

import * as vscode from 'vscode';

export interface HoverSettings {
  readonly enabled: boolean;
  /** Whether a hover says what is wrong with a literal that cannot be read. */
  readonly problems: boolean;
  /** Most rows, and most columns, of the table in a hover. */
  readonly largestTable: number;
  /** Matrices with more numbers than this have no hover. */
  readonly mostNumbers: number;
}

const ranges = {
  largestTable: { least: 0, most: 16, usual: 8 },
  mostNumbers: { least: 1, most: 1_000_000, usual: 100_000 },
} as const;

/** The settings for a document and its language. A value that settings.json should not hold is replaced by the default. */
export function hoverSettings(document: vscode.TextDocument): HoverSettings {
  const settings = vscode.workspace.getConfiguration('explainAttention', document);
  const languages = settings.get<unknown>('hover.languages');
  return {
    enabled: settings.get('hover.enabled') !== false && isAmong(languages, document.languageId),
    problems: settings.get('hover.problems') === true,
    largestTable: within(settings.get<unknown>('hover.largestTable'), ranges.largestTable),
    mostNumbers: within(settings.get<unknown>('hover.mostNumbers'), ranges.mostNumbers),
  };
}

/** Whether the setting names the language. `*`, and a value that is no list, stand for every language. */
const isAmong = (languages: unknown, language: string): boolean =>
  !Array.isArray(languages) || languages.includes('*') || languages.includes(language);

function within(value: unknown, { least, most, usual }: (typeof ranges)[keyof typeof ranges]): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : usual;
}

export const codeLensEnabled = (document: vscode.TextDocument): boolean =>
  vscode.workspace.getConfiguration('explainAttention', document).get('codeLens') === true;

const isOn = (document: vscode.TextDocument, name: string): boolean =>
  vscode.workspace.getConfiguration('explainAttention', document).get(name) !== false;

/** Whether a code lens is shown above each attention that Python code computes. */
export const attentionLensEnabled = (document: vscode.TextDocument): boolean => isOn(document, 'attentionLens');

/** Whether shapes are shown at the ends of lines of Python code that computes attention. */
export const shapeHintsEnabled = (document: vscode.TextDocument): boolean => isOn(document, 'shapeHints');

/** Whether shapes are shown in the formulas of Markdown and LaTeX. */
export const formulaHintsEnabled = (document: vscode.TextDocument): boolean =>
  vscode.workspace.getConfiguration('explainAttention', document).get('formulaHints') === true;

/** As linters have it. */
const levels = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type RuleSeverity = (typeof levels)[number];

export interface DoctorSettings {
  readonly enabled: boolean;
  /** Of the rules that a setting names; any other has its own. */
  readonly severities: Readonly<Partial<Record<string, RuleSeverity>>>;
}

/** How loud what a document says of its own numbers and does not hold is marked. */
export function documentSeverity(document: vscode.TextDocument): RuleSeverity {
  const given = vscode.workspace.getConfiguration('explainAttention', document).get<unknown>('documentCheck');
  return levels.find((one) => one === given) ?? 'warning';
}

/** What the doctor of code is to say of a document. A value that settings.json should not hold is passed by. */
export function doctorSettings(document: vscode.TextDocument): DoctorSettings {
  const rules = vscode.workspace.getConfiguration('explainAttention', document).get<unknown>('doctor.rules');
  const given = typeof rules === 'object' && rules !== null ? Object.entries(rules) : [];
  const severities = given.flatMap(([rule, value]) => {
    const level = levels.find((one) => one === value);
    return level ? [[rule, level] as const] : [];
  });
  return { enabled: isOn(document, 'doctor.enabled'), severities: Object.fromEntries(severities) };
}
