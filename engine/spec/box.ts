/** A model that comes with the extension: `NAME.safetensors` in `models/`, pinned by hash. A file is never replaced: another training is another name. */
export interface BoxModel {
  readonly name: string;
  readonly sha256: string;
  /** A Hugging Face `tokenizer.json` in the same folder. */
  readonly tokenizer: string;
}

/** Made by `engine/models/train/`; their cards stand beside them. */
export const boxModels: readonly BoxModel[] = [
  {
    name: 'characters-1',
    sha256: 'e94d5e7afb40c6d2c6db23b91123174ef8c90f9d0cab91d167b05a1e698e6ad3',
    tokenizer: 'characters-1.tokenizer.json',
  },
  {
    name: 'characters-training-0',
    sha256: '58b09d94cf2de6b2230610ded8444d518bcfd2feb0b966183c572dcf80b69d9f',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-200',
    sha256: 'aad0bcfad7268a7c52a82454f882933e89a49294679c460eb5ca06b66d7521f6',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-600',
    sha256: '4115b1f3a7db45ad923369d79decbcbd9a9e952acd016516ca46a3283070d20f',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-1000',
    sha256: '892d2398abf1b4e2de5e85a56b63f0e98584795b412a81ef1c2e18d7552f1884',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-1200',
    sha256: '4501ee4c466c53b9c297589a32dc3d7d0a75c37df31a965b0cbc12c2f9d3cf19',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-1300',
    sha256: 'f1384d7fe78940e44d1d4b6040a5985bfb556a985e91aa50eb52923ad55ee5c9',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-1400',
    sha256: 'feac8921f73c31cf6aa7c867bc58842d010b0ea71d1be387dd34f57e9450fa23',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-1600',
    sha256: 'e59cc63cfb8fbea954daf04e73bc43696b9d628d49d16bf763de1141e0e42a3b',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-2000',
    sha256: 'ece870a7368cae81917799a6624fd9db0c05abf327889f85de12c241befb1ae0',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-3000',
    sha256: 'd54b39672c17d47d466c5863ddbf391ad931e455d92fa8f48091f94416944ea6',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'characters-training-5000',
    sha256: '105acb44a6c90e27253b9b1eb2f36276bf4cc28df067a0a9fa2e1886ff40d4c6',
    tokenizer: 'characters-training.tokenizer.json',
  },
  {
    name: 'words-1',
    sha256: '528dbda9d4ef961411199db5404d11b31016fd32deab582c936a78d67fd5e070',
    tokenizer: 'words-1.tokenizer.json',
  },
];

const checkpoint = /^(.*-training)-(\d+)$/;

/** The checkpoints of the training that a model is one of, in order; none of another model. */
export function trainingOf(name: string): readonly BoxModel[] {
  const [, family] = checkpoint.exec(name) ?? [];
  const found = boxModels.filter((model) => family !== undefined && checkpoint.exec(model.name)?.[1] === family);
  return found.sort((a, b) => stepsOf(a) - stepsOf(b));
}

/** Steps of training of a checkpoint. */
export const stepsOf = ({ name }: Pick<BoxModel, 'name'>): number => Number(checkpoint.exec(name)?.[2] ?? NaN);

export const boxModel = (name: string): BoxModel | undefined => boxModels.find((model) => model.name === name);

/** The file of a model. */
export const modelFile = ({ name }: Pick<BoxModel, 'name'>): string => `${name}.safetensors`;
