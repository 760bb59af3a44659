import { isSource, operationOf, t, type AttentionSpec, type Plan } from '../../engine/index';
import { stepOf, type ComputeReport } from '../trace';

export interface BadgeModel {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly report: ComputeReport | undefined;
  /** Whether a preview's values are shown while the exact ones are being computed. */
  readonly preview: boolean;
  readonly previewBy?: 'WebGPU' | 'WASM' | undefined;
}

/** The same for who reads no more than the header: whether a preview is shown, and whose weights they are. `float64 · CPU · random weights` */
export function badgeBrief(model: BadgeModel): string {
  const { spec, plan, preview, report } = model;
  if (preview) return t('exact values follow');
  return report ? [spec.dtype, 'CPU', ...weightsOf(spec, plan)].join(' · ') : '';
}

function weightsOf({ model }: AttentionSpec, { steps }: Plan): string[] {
  if (steps.some(({ call }) => call.op === 'random')) return [t('random weights')];
  return model ? [t('weights of {0}', model.name)] : [];
}

/** How the values were computed: `float64 · CPU`, and for a GPU preview how much the two differ. */
export function badgeText({ spec, plan, report, preview, previewBy = 'WebGPU' }: BadgeModel): string {
  const random = weightsOf(spec, plan);
  if (preview) {
    const by = [t('float32 preview by {0}', previewBy), ...(previewBy === 'WebGPU' ? withoutKernel(plan) : [])];
    return [...by, t('exact values follow'), ...random].join(' · ');
  }
  if (!report) return '';
  const { difference, fallback } = report;
  const noGpu = fallback ? [t('no GPU: {0}', fallback)] : [];
  if (difference) {
    const symbol = stepOf(plan, difference.step)?.symbol ?? difference.step;
    const apart = t('differ by at most {0} in {1}', oneFigure(difference.value), symbol);
    const ran = report.ran.replace(' + CPU', '');
    const by = [t('float32 preview by {0}', ran), ...(ran === 'WebGPU' ? withoutKernel(plan) : [])];
    return [...by, t('exact {0} by CPU', spec.dtype), apart, ...noGpu, ...random].join(' · ');
  }
  return [spec.dtype, 'CPU', ...noGpu, ...random].join(' · ');
}

/** Steps of a preview that the CPU computed because their operation has no GPU kernel. */
function withoutKernel({ steps }: Plan): string[] {
  const found = steps.filter(({ call }) => !isSource(call) && operationOf(call).gpu === 'reference');
  return found.length ? [t('{0} by CPU', found.map(({ symbol }) => symbol).join(', '))] : [];
}

/** A bound in one significant digit, rounded up: `3e−7`. */
function oneFigure(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const [figure = '', power = '0'] = value.toExponential().split('e');
  const bound = Number(`${Math.ceil(Number(figure))}e${power}`);
  return (bound < 0.001 ? bound.toExponential() : String(bound)).replace('-', '−');
}

/** The same in detail, with times. */
export function badgeTitle({ report }: Pick<BadgeModel, 'report'>): string {
  const time = report
    ? `${t('Computed in {0} ms.', report.milliseconds.toFixed(report.milliseconds < 10 ? 1 : 0))} `
    : '';
  const why = report?.fallbackDetail ? `${t('No GPU: {0}.', report.fallbackDetail)} ` : '';
  return `${time}${why}${t('Digits always come from the exact values; WebGPU and WebAssembly only draw previews of large inputs.')}`;
}
