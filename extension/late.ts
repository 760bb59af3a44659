import * as vscode from 'vscode';
import './language';
import { registerClassroom } from './classroom';
import { copyCommand, copyMatrix, hoverProvider, lensesOf, registerInputs } from './hover';
import {
  command,
  createReport,
  unimplementedCommands,
  onPanelSettings,
  reportIssue,
  runCommand,
  type Guard,
} from './host';
import {
  checkCommand,
  chooseAttentionCommand,
  explainAsTextCommand,
  watchTrainingCommand,
  explainCommand,
  explainNumberCommand,
  explainInNewPanelCommand,
  openExplanation,
  openExplanationCommand,
} from './explain';
import {
  createController,
  createControllers,
  linkHandler,
  registerFollowing,
  registerPageCommands,
  type PanelControllers,
} from './panels';
import { previewPlugin, registerLessonAuthoring } from './lesson-authoring';
import { registerLessons } from './lesson';
import { openTensorFileCommand } from './files';
import {
  createOffer,
  alongCommands,
  createAlong,
  formulaHover,
  outlineCommand,
  placeParagraph,
  programValues,
  registerClaims,
  registerFormulas,
  registerModel,
  registerPlaces,
  registerPrinted,
  showOutline,
  type ClaimsReader,
  type DoctorReader,
  registerFormulaHints,
  type FormulaHintReader,
  type FormulaReader,
  type ModelReader,
  type PlacesReader,
  type PrintedReader,
} from './program';
import { setNameReader } from '../engine/index';
import { answerOf, createNameReader, createProgramClient } from './program-client';
import { findDocument, hashText, isExamDocument, showRange, unlessExam } from './documents';
import { registerModels } from './checkpoint';
import { createLiveLines, createStops, readForTool, registerInlineValues, registerLive } from './live';
import { addHelper, addHelperCommand, createOutputs, type HearOutput } from './notebook';
import { createToolCaller, type ToolCaller } from './tools';
import { registerWalkthrough } from './walkthrough';

/** What extension.ts calls once it has loaded this file. */
export interface Late {
  /** Runs a command of package.json. */
  run(name: string, args: readonly unknown[]): unknown;
  readonly panels: vscode.WebviewPanelSerializer;
  readonly lessons: vscode.WebviewPanelSerializer;
  readonly handleUri: vscode.UriHandler['handleUri'];
  readonly provideHover: vscode.HoverProvider['provideHover'];
  readonly provideCodeLenses: vscode.CodeLensProvider['provideCodeLenses'];
  /** Begins to show code lenses, shapes and values in Python programs. Called once a document is open that may compute attention. */
  watchPrograms(): void;
  /** Begins to show code lenses above formulas. Called once a document is open that may have formulas of attention. */
  watchFormulas(): void;
  /** Watches a debug session that begins, and shows shapes behind lines where it stops. */
  watchDebugging(): vscode.DebugAdapterTracker;
  /** Hears what an output of explain(…) in a notebook asks for. */
  readonly hearOutput: HearOutput;
  readonly extendMarkdownIt: ReturnType<typeof previewPlugin>;
  /** Answers what a language model asks. */
  readonly callTool: ToolCaller;
}

/** Builds the parts of the extension; called once. What extension.ts has registered already is returned, for it to delegate to. */
export function start(context: vscode.ExtensionContext): Late {
  const { extension, extensionUri, workspaceState } = context;
  const log = vscode.window.createOutputChannel('Explain Attention', { log: true });
  const report = createReport(log, (details) => void reportIssue(extension, details));
  const guarded: Guard =
    (doing, act) =>
    async (...args) => {
      try {
        await act(...args);
      } catch (error) {
        report.bug(doing, error);
      }
    };

  const programs = createProgramClient(extensionUri, report);
  setNameReader(createNameReader(programs));
  const parts = { extensionUri, memento: workspaceState, report, guarded, programs, along: () => along.way() };
  const controllers = createControllers((id, events) => createController(id, parts, events));
  const inputs = registerInputs(workspaceState, report, guarded, explainCommand);
  const lessons = registerLessons({ ...parts, controllers, version: versionOf(extension) });

  context.subscriptions.push(
    log,
    ...explainCommands(controllers, guarded),
    registerFollowing(controllers, guarded),
    registerPageCommands(controllers, guarded),
    registerClassroom(context, report, guarded),
    command('explainAttention.showLog', () => log.show()),
    command('explainAttention.reportIssue', () => reportIssue(extension)),
    inputs,
    lessons,
    programs,
    registerModels(extensionUri, report, guarded, (spec, view, label) =>
      controllers.current().explainer.showSpec({ spec, view }, label, hashText(JSON.stringify(spec))),
    ),
    registerLive({ explainer: () => controllers.current().explainer, programs, report }, guarded),
    command(
      addHelperCommand,
      guarded(vscode.l10n.t('Adding the Python helper'), () => addHelper(extensionUri)),
    ),
    registerLessonAuthoring(context.extensionUri, report),
    registerWalkthrough(extensionUri, guarded, (target) => controllers.current().explainer.explain(target)),
    command(
      copyCommand,
      guarded(vscode.l10n.t('Copy Matrix As'), (argument: unknown) => copyMatrix(argument, report)),
    ),
    onPanelSettings((settings) => {
      for (const { panel } of controllers.all()) panel.send({ type: 'settings', settings });
    }),
  );
  const offer = createOffer(explainCommand);
  context.subscriptions.push(offer);
  const formulas: FormulaReader = {
    attentions: async (asked, document, token) => answerOf(await programs.ask('formulas', asked, document, token)),
    described: async (asked, document, token) => answerOf(await programs.ask('described', asked, document, token)),
  };
  const formulaHints: FormulaHintReader = async (asked, document, token) =>
    answerOf(await programs.ask('formulaHints', asked, document, token));
  const model: ModelReader = async (asked, document, token) =>
    answerOf(await programs.ask('model', asked, document, token));
  const places = placeParagraph(model, explainCommand);
  let watchesDocuments = false;
  const watchDocuments = (): void => {
    if (!watchesDocuments) context.subscriptions.push(registerModel(model, { explain: explainCommand, outline: outlineCommand, along: alongCommands.begin }, along)); // prettier-ignore
    watchesDocuments = true;
  };
  const along = createAlong({
    read: model,
    explain: (target) => controllers.current().explainer.explain(target),
    goTo: (step) => controllers.current().panel.send({ type: 'goTo', step }),
    show: (document, range) => showRange(document, range, true),
    tell: (place) => controllers.current().panel.send({ type: 'along', ...(place && { place }) }),
    memento: workspaceState,
  });
  const documentOf = async (uri: unknown): Promise<vscode.TextDocument | undefined> =>
    (typeof uri === 'string' ? await findDocument(vscode.Uri.parse(uri)) : undefined) ??
    vscode.window.activeTextEditor?.document;
  const reading = vscode.l10n.t('Reading along');
  context.subscriptions.push(
    along,
    command(
      alongCommands.begin,
      guarded(
        reading,
        unlessExam(async (uri: unknown) => {
          const document = await documentOf(uri);
          if (document) await along.begin(document);
        }),
      ),
    ),
    command(
      alongCommands.next,
      guarded(reading, () => along.move(1)),
    ),
    command(
      alongCommands.previous,
      guarded(reading, () => along.move(-1)),
    ),
    command(
      alongCommands.play,
      guarded(reading, () => along.play()),
    ),
    command(alongCommands.faster, () => along.faster()),
    command(
      alongCommands.stop,
      guarded(reading, () => along.stop()),
    ),
    command(
      outlineCommand,
      guarded(
        vscode.l10n.t('Listing what a document says'),
        unlessExam(async (uri: unknown) => {
          const document = await documentOf(uri);
          if (document) await showOutline(document, model, showRange, explainCommand);
        }),
      ),
    ),
  );
  const claims: ClaimsReader = async (asked, document, token) =>
    answerOf(await programs.ask('claims', asked, document, token));
  let checksDocuments = false;
  const checkDocuments = (): void => {
    if (!checksDocuments) context.subscriptions.push(registerClaims(claims));
    checksDocuments = true;
  };
  let stops: ReturnType<typeof createStops> | undefined;
  const liveLines = createLiveLines();
  context.subscriptions.push(liveLines);
  log.info(`Explain Attention ${versionOf(extension)} is ready`);
  return {
    run: runCommand,
    panels: controllers,
    lessons: lessons.serializer,
    handleUri: linkHandler(controllers, report, guarded),
    provideHover: unlessInExam(
      hoverProvider(
        explainCommand,
        inputs,
        programValues(async (text, offset, document, token) => {
          return answerOf(await programs.ask('value', { text, offset }, document, token));
        }),
        formulaHover(formulas, explainCommand, places),
        checkCommand,
        places,
      ),
    ),
    provideCodeLenses: async (document, token) => {
      const lenses = await lensesOf(document, explainCommand, token);
      return lenses.length > 0 && (await isExamDocument(document)) ? [] : lenses;
    },
    watchPrograms: () => {
      const read: PlacesReader = {
        lines: async (text, document) => answerOf(await programs.ask('lines', { text }, document)),
        places: async (text, document) => answerOf(await programs.ask('places', { text }, document)),
      };
      const doctor: DoctorReader = async (text, document, token) =>
        answerOf(await programs.ask('doctor', { text }, document, token));
      const mended = (uri: vscode.Uri): unknown =>
        Promise.all(controllers.all().map(({ explainer }) => explainer.mended(uri)));
      const printed: PrintedReader = async (text, outputs, document) => {
        return answerOf(await programs.ask('printed', { text, outputs }, document));
      };
      context.subscriptions.push(
        registerPlaces(read, programs.importsChanged, explainCommand, checkCommand, doctor, mended, offer, liveLines),
        registerPrinted(printed, explainCommand, checkCommand),
      );
      watchDocuments();
      checkDocuments();
    },
    watchFormulas: () => {
      context.subscriptions.push(registerFormulas(formulas, explainCommand, offer), registerFormulaHints(formulaHints));
      watchDocuments();
      checkDocuments();
    },
    watchDebugging: () => {
      if (!stops) context.subscriptions.push(registerInlineValues((stops = createStops()), liveLines));
      return stops;
    },
    hearOutput: createOutputs(extensionUri, report, guarded, (spec, label, notes) =>
      controllers.current().explainer.showSpec({ spec }, label, hashText(JSON.stringify(spec)), undefined, notes),
    ),
    extendMarkdownIt: previewPlugin(report),
    callTool: createToolCaller(programs, readForTool),
  };
}

/** Hovers that show nothing in an exam: a value of the lesson's matrices may be what it asks for. */
const unlessInExam =
  ({ provideHover }: vscode.HoverProvider): vscode.HoverProvider['provideHover'] =>
  async (document, position, token) => {
    const hover = await provideHover(document, position, token);
    // Only then is the folder looked at: a pointer comes by many words that have no hover.
    return hover && (await isExamDocument(document)) ? undefined : hover;
  };

/** For a test, which checks that each command of package.json has an implementation. */
export { unimplementedCommands };

const versionOf = ({ packageJSON }: vscode.Extension<unknown>): string =>
  String((packageJSON as { version?: unknown }).version);

/** Implements the commands that open an explanation. */
function explainCommands(controllers: PanelControllers, guarded: Guard): vscode.Disposable[] {
  const say = (id: string, doing: string, act: (...args: unknown[]) => unknown): vscode.Disposable =>
    command(id, guarded(doing, act));
  return [
    say(
      explainCommand,
      vscode.l10n.t('Explain Attention'),
      unlessExam((argument) => controllers.current().explainer.explain(argument)),
    ),
    say(
      explainInNewPanelCommand,
      vscode.l10n.t('Explaining in a new panel'),
      unlessExam((argument) => controllers.fresh().explainer.explain(argument)),
    ),
    say(chooseAttentionCommand, vscode.l10n.t('Choosing another attention'), () =>
      controllers.current().explainer.chooseAttention(),
    ),
    say(
      explainNumberCommand,
      vscode.l10n.t('Explaining a number'),
      unlessExam(() => controllers.current().explainer.explainNumber()),
    ),
    say(
      checkCommand,
      vscode.l10n.t('Checking numbers'),
      unlessExam((argument) => controllers.current().explainer.check(argument)),
    ),
    say(
      explainAsTextCommand,
      vscode.l10n.t('Explaining as text'),
      unlessExam(() => controllers.current().explainer.explainAsText()),
    ),
    say(watchTrainingCommand, vscode.l10n.t('Showing how a model learns'), () =>
      controllers.current().explainer.watchTraining(),
    ),
    say(openTensorFileCommand, vscode.l10n.t('Opening a tensor file'), (uri, selected) =>
      controllers.current().tensorFiles.open(uri, selected),
    ),
    say(openExplanationCommand, vscode.l10n.t('Opening an explanation'), (uri) =>
      openExplanation(uri, (chosen) => controllers.current().explainer.openSpec(chosen)),
    ),
    say('explainAttention.useTokenizerFile', vscode.l10n.t('Using a tokenizer file'), () =>
      controllers.current().useTokenizerFile(),
    ),
  ];
}
