// Mistakes that were published, as PyTorch code written after their reports: the check names what each report says.
import assert from 'node:assert/strict';
import { pythonOrSkip } from '../reference/python';
import { publishedMistakes, saidOfPublished, type Published } from './published';

/** What a report says, as mistakes of the catalogue. Where others give the same numbers, they are named beside it. */
const reported: Readonly<Record<string, string>> = {
  'pytorch/pytorch/issues/103082': 'maskStart',
  'jax-ml/jax/issues/23349': 'noMask',
  'lucidrains/native-sparse-attention-pytorch/issues/20': 'maskStrict',
  'huggingface/transformers/issues/37574': 'windowShort',
  'huggingface/transformers/issues/35896': 'windowForgotten',
  'huggingface/transformers/issues/36096': 'logSumExp',
  'omihub777/ViT-CIFAR/pull/11': 'scaleModel',
  'Graylab/DL4Proteins-notebooks/issues/12': 'scaleModel',
  'lucidrains/vit-pytorch/issues/65': 'scaleModel',
  'juho-lee/set_transformer/issues/18': 'scaleModel',
  'mlc-ai/mlc-llm/pull/3426': 'noScale',
  'delzac/cntkx/issues/10': 'scaleD',
  'esceptico/perceiver-io/issues/9': 'scaleTimes',
  'SKaiNET-developers/SKaiNET/pull/880': 'scaleZero',
  'pytorch/examples/issues/649': 'maskTransposed',
  'rasbt/LLMs-from-scratch/issues/1061': 'maskInverted',
  'lucidrains/halonet-pytorch/issues/4': 'maskInverted',
  'awslabs/gluonts/pull/1401': 'maskTiny',
  'Shujun-He/RibonanzaNet/issues/5': 'maskTiny',
  'hyunwoongko/transformer/pull/40': 'maskTransposed',
  'lucidrains/memory-compressed-attention/issues/2': 'maskAfter',
  'huggingface/pytorch-image-models/pull/2236': 'maskAfter',
  'gabrielmittag/NISQA/issues/17': 'maskInfiniteAfter',
  'RVC-Boss/GPT-SoVITS/issues/965': 'maskLoose',
  // In float32 nothing of the scores is left beside 1e9: numerically their scale is 0.
  'harvard-edge/cs249r_book/pull/1785': 'scaleZero',
  'PetrochukM/PyTorch-NLP/issues/2': 'softmaxQueries',
  'labmlai/annotated_deep_learning_paper_implementations/issues/146': 'softmaxQueries',
  'FudanNLP/fastNLP/issues/254': 'softmaxQueries',
  'reczoo/FuxiCTR/issues/30': 'viewHeads+viewMerge',
  'jsbaan/transformer-from-scratch/pull/6': 'viewMerge',
  '649453932/Chinese-Text-Classification-Pytorch/issues/10': 'viewMerge',
  'yflyzhang/AnnotatedTransformer/issues/1': 'valuesAreKeys',
  'Khaliladib11/Transformer-from-scratch/issues/1': 'sharedWk',
  'onnx/onnx/pull/7274': 'groupsTiled',
  'huggingface/transformers/issues/25199': 'ropeLayout',
  'raiyanyahya/how-to-train-your-gpt/issues/6': 'ropeMixed',
  'mlfoundations/open_lm/issues/4': 'ropeByHead',
  'maxjcohen/transformer/issues/62': 'positionsBase',
  'DongjunLee/transformer-tensorflow/issues/6': 'positionsColumn',
  'shenweichen/DeepCTR/issues/379': 'positionsDouble',
  'codertimo/BERT-pytorch/issues/30': 'normStandard',
  'harvardnlp/annotated-transformer/pull/119': 'normUnbiased',
  'Howuhh/faster-trajectory-transformer/issues/3': 'residualNormed',
  'harvardnlp/annotated-transformer/issues/110': 'normOfOutput',
  'sbryngelson/ANEForge/pull/253': 'noBias',
  'pytorch/pytorch/issues/124464': 'dropoutOn',
};

describe('a published mistake', function () {
  this.timeout(120_000);
  let all: readonly Published[] = [];
  before(function () {
    all = publishedMistakes(pythonOrSkip(this as unknown as Mocha.Context, 'torch'));
  });

  it('is named, and nothing but what gives the same numbers beside it', () => {
    assert.deepEqual(all.map(({ source }) => source).sort(), Object.keys(reported).sort());
    for (const one of all) {
      const { names } = saidOfPublished(one);
      const wanted = (reported[one.source] ?? '').split('+').sort().join('+');
      assert.ok(names.includes(wanted), `${one.source}: ${names.join(', ') || 'none'}`);
      assert.ok(names.length <= 2, `${one.source}: ${names.join(', ')}`);
    }
  });
});
