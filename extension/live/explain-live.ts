import * as vscode from 'vscode';
import { fileRoleOf, type Problem } from '../../engine/index';
import { fileName } from '../documents';
import type { Explainer } from '../explain';
import { choose, isCancelled, offeredBy, readChoice, withProgress } from '../files';
import type { Report } from '../host';
import type { ProgramClient } from '../program-client';
import type { Target } from './expression';
import type { LiveInfo } from './live-value';
import { openedFrom, type LiveTensor } from './offered';
import { describeTarget, describeTensors, whyUnread, type LiveProcess } from './read';

/** Where live values come from, in words: `model.py, stopped at line 42`. */
export interface LivePlace {
  readonly label: string;
  /** A sentence that the panel shows and that its state keeps. */
  readonly sentence: string;
}

export function stoppedAt(uri: vscode.Uri | undefined, line: number): LivePlace {
  const file = uri ? fileName(uri) : vscode.l10n.t('a process');
  return {
    label: vscode.l10n.t('{0}, stopped at line {1}', file, line),
    sentence: vscode.l10n.t('Live values: read from the process, stopped at line {0} of {1}.', line, file),
  };
}

export interface LiveParts {
  readonly programs: ProgramClient;
  readonly explainer: () => Explainer;
  readonly report: Report;
}

/** A name, and what else of the frame it is explained with. */
export interface Asked {
  readonly process: LiveProcess;
  readonly place: LivePlace;
  readonly target: Target;
  readonly again: () => Promise<void>;
}

const problems = ({ report }: LiveParts, { label }: LivePlace, all: readonly Problem[]): void => {
  if (!isCancelled(all)) report.problems({ name: label }, all);
};

/**
 * Explains a tensor of the process by itself: as X or scores, or with the other matrices of its frame where its name has a part in attention. The
 * questions are those for tensors of a file: which of several, what they are, which batch and head, which rows.
 */
export async function explainTensors(parts: LiveParts, asked: Asked): Promise<void> {
  const { process, place, target, again } = asked;
  const name = 'path' in target ? target.path : target.expression;
  const found = await withProgress(vscode.l10n.t('Asking the process for {0}', name), (token) =>
    describeTarget(process, target, token),
  );
  if (!found.ok) return problems(parts, place, found.problems);
  const unread = whyUnread(name, found.value);
  if (unread) return problems(parts, place, [unread]);
  const others = 'path' in target ? await othersOf(process, name) : new Map<string, LiveInfo>();
  const own: LiveTensor = { name, target, info: found.value };
  const rest = [...others].map(([path, info]): LiveTensor => ({ name: path, target: { path }, info }));
  const opened = openedFrom(process, place.label, [own, ...rest]);
  const made = await choose(offeredBy([opened]));
  if (!made) return;
  if (!made.ok) return problems(parts, place, made.problems);
  const { chosen, choice } = made.value;
  const label = `${chosen.map((one) => one.name).join(', ')}: ${place.label}`;
  const read = await withProgress(vscode.l10n.t('Reading {0}', label), (token, progress) =>
    readChoice(chosen, choice, { progress, cancelled: () => token.isCancellationRequested }),
  );
  if (!read.ok) return problems(parts, place, read.problems);
  const { spec, notes, hash } = read.value;
  parts.explainer().showLive({ spec, notes: [place.sentence, ...notes] }, { label, textHash: hash }, again);
}

/** The other tensors of the frame that have a part in attention, where the name itself has one. */
async function othersOf(process: LiveProcess, name: string): Promise<ReadonlyMap<string, LiveInfo>> {
  const role = fileRoleOf(name);
  if (role === undefined) return new Map();
  const all = await describeTensors(process);
  if (!all.ok) return new Map();
  return new Map(
    [...all.value].filter(
      ([path, info]) => path !== name && fileRoleOf(path) !== undefined && whyUnread(path, info) === undefined,
    ),
  );
}
