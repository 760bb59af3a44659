import * as vscode from 'vscode';
import { codeLanguages } from '../activation';
import { attentionLensEnabled, shapeHintsEnabled } from '../hover-settings';
import { registerDoctor, type DoctorReader } from './doctor';
import { shapeHints } from './hints';
import { programLenses } from './lenses';
import type { Offer } from './offer';
import { createShownPlaces, type PlacesReader } from './shown';

/**
 * Registers code lenses above attentions, shapes at the ends of lines and the doctor's diagnostics, for Python and documents that contain it. A setting
 * turns off each. `mended` is called with a document that one of the doctor's mends has changed. `live`: lines that show values of a stopped process, and no hint beside them.
 */
export function registerPlaces(
  read: PlacesReader,
  stale: vscode.Event<void>,
  command: string,
  checkCommand: string,
  doctor: DoctorReader,
  mended: (uri: vscode.Uri) => unknown,
  offer: Offer,
  live: { of(document: vscode.TextDocument): ReadonlySet<number>; readonly changed: vscode.Event<void> },
): vscode.Disposable {
  const isCode = ({ languageId }: vscode.TextDocument): boolean =>
    codeLanguages.some((language) => language === languageId);
  const python = codeLanguages.map((language) => ({ language }));
  const shown = createShownPlaces(read, stale);
  const [lenses, hints] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
  const { languages, workspace } = vscode;
  return vscode.Disposable.from(
    shown,
    registerDoctor(doctor, shown, checkCommand, mended),
    offer.add(
      async (document) => (isCode(document) ? (await shown.of(document))?.attentions.length : 0),
      shown.changed,
    ),
    lenses,
    hints,
    shown.changed(() => {
      lenses.fire();
      hints.fire();
    }),
    live.changed(() => hints.fire()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.attentionLens')) lenses.fire();
      if (event.affectsConfiguration('explainAttention.shapeHints')) hints.fire();
    }),
    languages.registerCodeLensProvider(python, {
      onDidChangeCodeLenses: lenses.event,
      provideCodeLenses: (document, token) =>
        attentionLensEnabled(document) && !token.isCancellationRequested ? programLenses(document, shown, command) : [],
    }),
    languages.registerInlayHintsProvider(python, {
      onDidChangeInlayHints: hints.event,
      provideInlayHints: (document, range, token) =>
        shapeHintsEnabled(document) && !token.isCancellationRequested
          ? shapeHints(document, range, shown, live.of(document))
          : [],
    }),
  );
}
