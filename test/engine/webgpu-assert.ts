import assert from 'node:assert/strict';
import { operations } from '../../engine/index';
import type { KernelReport } from './webgpu-parity';
import { planSpecs, type PlanReport } from './webgpu-plans';

const kernelTitle = (op: string, report: KernelReport | undefined): string =>
  report
    ? `${op}: ${report.cases} cases, ${report.values} values, worst error/bound ${report.worst.ratio.toPrecision(3)} (${report.worst.text})`
    : op;

/** A kernel that no case has run has not passed. */
export function assertKernel(op: string, report: KernelReport | undefined): void {
  assert.ok(report && report.cases > 0 && report.values > 0, `${op}: no case ran`);
  assert.ok(report.failures.length === 0, `${op}: ${report.failures.join('\n')}`);
}

const planTitle = (name: string, report: PlanReport | undefined): string =>
  report
    ? `${name}: ${report.steps} steps, worst error/bound ${report.worst.ratio.toPrecision(3)}, differs by ${report.difference.value.toPrecision(3)} in ${report.difference.step}`
    : name;

/** What a preview may differ from the exact values by: far below a shade of a heatmap. */
const previewTolerance = 1e-5;

export function assertPlan(name: string, report: PlanReport | undefined): void {
  assert.ok(report && report.steps > 0, `${name}: no step ran: ${report?.failures.join('; ')}`);
  assert.ok(report.failures.length === 0, `${name}: ${report.failures.join('\n')}`);
  const { value, step } = report.difference;
  assert.ok(value <= previewTolerance, `${name}: ${value} in ${step}`);
}

/** One test for each operation of the table and each plan, named with what it came to. */
export function describeReports(
  reports: () => { kernels: readonly KernelReport[]; plans: readonly PlanReport[] },
): void {
  for (const op of Object.keys(operations)) {
    it(op, function () {
      const report = reports().kernels.find((r) => r.op === op);
      if (this.test) this.test.title = kernelTitle(op, report);
      assertKernel(op, report);
    });
  }
  for (const name of Object.keys(planSpecs)) {
    it(name, function () {
      const report = reports().plans.find((r) => r.name === name);
      if (this.test) this.test.title = planTitle(name, report);
      assertPlan(name, report);
    });
  }
}
