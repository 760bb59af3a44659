/** The tutorials by file name. Lines of ours call each tutorial's definitions with small sizes. */
export interface KnownSource {
  readonly file: string;
  /** The author or project. */
  readonly of: string;
  /** Whether all statements are run. Otherwise only definitions, imports and settings are. */
  readonly whole?: true;
  /** Files whose text is put before this one in place of their imports. */
  readonly before?: readonly string[];
  /** Lines that call its definitions. If absent, it is read with stand-in sizes only. */
  readonly calls: readonly string[];
}

const seed = 'torch.manual_seed(0)';

export const sources: readonly KnownSource[] = [
  { file: 'rasbt_ch03.py', of: 'Raschka, chapter 3', whole: true, calls: [] },
  {
    file: 'rasbt_gpt.py', of: 'Raschka, GPT',
    calls: [seed, 'model = GPTModel({"vocab_size": 11, "context_length": 6, "emb_dim": 8, "n_heads": 2, "n_layers": 2, "drop_rate": 0.0, "qkv_bias": False})', 'model.eval()', 'logits = model(torch.tensor([[1, 2, 3]]))'],
  },
  {
    file: 'rasbt_gqa.py', of: 'Raschka, grouped queries',
    calls: [seed, 'model = GPTModel({"vocab_size": 11, "context_length": 6, "emb_dim": 8, "n_heads": 2, "n_kv_groups": 1, "n_layers": 1, "drop_rate": 0.0, "qkv_bias": False})', 'model.eval()', 'logits = model(torch.tensor([[1, 2, 3]]))'],
  },
  {
    file: 'rasbt_kv.py', of: 'Raschka, cache of keys and values',
    calls: [seed, 'model = GPTModel({"vocab_size": 11, "context_length": 6, "emb_dim": 8, "n_heads": 2, "n_layers": 1, "drop_rate": 0.0, "qkv_bias": False, "kv_window_size": 6})', 'model.eval()', 'first = model(torch.tensor([[1, 2, 3]]), use_cache=True)', 'later = model(torch.tensor([[4]]), use_cache=True)'],
  },
  {
    file: 'annotated.py', of: 'The Annotated Transformer',
    calls: [seed, 'q = torch.randn(2, 3, 4)', 'out, weights = attention(q, q, q)', 'model = make_model(11, 11, N=2, d_model=16, d_ff=32, h=2)', 'model.eval()', 'memory = model.encode(torch.LongTensor([[1, 2, 3, 4]]), torch.ones(1, 1, 4))', 'decoded = model.decode(memory, torch.ones(1, 1, 4), torch.LongTensor([[1, 2]]), subsequent_mask(2))', 'count = sum(p.numel() for p in model.parameters())'],
  },
  {
    file: 'nggpt.py', of: 'Karpathy, gpt.py',
    calls: ['vocab_size = 11', 'n_embd, block_size, n_head, n_layer, dropout, device = 8, 6, 2, 2, 0.0, "cpu"', seed, 'model = GPTLanguageModel()', 'logits, loss = model(torch.tensor([[1, 2, 3]]))'],
  },
  {
    file: 'nanogpt.py', of: 'Karpathy, nanoGPT',
    calls: [seed, 'model = GPT(GPTConfig(block_size=6, vocab_size=11, n_layer=1, n_head=2, n_embd=8, dropout=0.0))', 'logits, loss = model(torch.tensor([[1, 2, 3]]), torch.tensor([[2, 3, 4]]))'],
  },
  {
    file: 'mingpt.py', of: 'Karpathy, minGPT',
    calls: ['class config: n_embd, n_head, block_size, attn_pdrop, resid_pdrop = 8, 2, 6, 0.0, 0.0', seed, 'layer = CausalSelfAttention(config)', 'out = layer(torch.randn(1, 3, 8))', 'block = Block(config)', 'after = block(torch.randn(1, 3, 8))'],
  },
  { file: 'd2l_attention-scoring-functions.py', of: 'd2l, scoring functions', whole: true, calls: [] },
  { file: 'd2l_multihead-attention.py', of: 'd2l, multi-head attention', whole: true, calls: [] },
  { file: 'd2l_self-attention-and-positional-encoding.py', of: 'd2l, self-attention', whole: true, calls: [] },
  { file: 'd2l_bahdanau-attention.py', of: 'd2l, Bahdanau', calls: [] },
  {
    file: 'd2l_transformer.py', of: 'd2l, the Transformer',
    calls: [seed, 'block = TransformerEncoderBlock(8, 16, 2, 0.0)', 'block.eval()', 'X = torch.randn(2, 5, 8)', 'out = block(X, torch.tensor([3, 2]))'],
  },
  {
    file: 'd2l_vision-transformer.py', of: 'd2l, vision',
    calls: [seed, 'block = ViTBlock(8, 8, 16, 2, 0.0)', 'block.eval()', 'out = block(torch.randn(2, 5, 8))'],
  },
  {
    file: 'uva.py', of: 'UvA, tutorial 6',
    calls: [seed, 'layer = MultiheadAttention(6, 8, 2)', 'out = layer(torch.randn(1, 3, 6))', 'block = EncoderBlock(8, 2, 16)', 'after = block(torch.randn(1, 3, 8))'],
  },
  {
    file: 'hf_eager.py', of: 'Hugging Face, eager attention',
    calls: ['class config: hidden_size, num_attention_heads, num_key_value_heads, attention_bias, attention_dropout, head_dim = 8, 2, 1, False, 0.0, None', seed, 'layer = LlamaAttention(config, 0)', 'angles = torch.arange(3)[None, :, None] * torch.tensor([1.0, 0.01, 1.0, 0.01])', 'out, weights = layer(torch.randn(1, 3, 8), (angles.cos(), angles.sin()))'],
  },
  {
    file: 'labml_labml_nn_transformers_mha.py', of: 'labml, multi-head attention',
    calls: [seed, 'layer = MultiHeadAttention(heads=2, d_model=8, dropout_prob=0.0)', 'x = torch.randn(5, 1, 8)', 'out = layer(query=x, key=x, value=x)'],
  },
  {
    file: 'labml_labml_nn_transformers_rope___init__.py', of: 'labml, RoPE', before: ['labml_labml_nn_transformers_mha.py'],
    calls: [seed, 'layer = RotaryPEMultiHeadAttention(2, 8, 1.0, 0.0)', 'x = torch.randn(5, 1, 8)', 'out = layer(query=x, key=x, value=x)'],
  },
  {
    file: 'hk_transformer.py', of: 'hkproj, Transformer',
    calls: [seed, 'layer = MultiHeadAttentionBlock(8, 2, 0.0)', 'x = torch.randn(1, 3, 8)', 'out = layer(x, x, x, None)'],
  },
  {
    file: 'hk_llama.py', of: 'hkproj, Llama',
    calls: ['args = ModelArgs(dim=8, n_layers=1, n_heads=2, n_kv_heads=1, vocab_size=11, multiple_of=4, max_batch_size=1, max_seq_len=6)', seed, 'layer = SelfAttention(args)', 'turns = torch.view_as_real(precompute_theta_pos_frequencies(4, 12, "cpu"))', 'first = layer(torch.randn(1, 1, 8), 0, torch.view_as_complex(turns[0:1]))', 'later = layer(torch.randn(1, 1, 8), 1, torch.view_as_complex(turns[1:2]))'],
  },
  { file: 'hyun_sdp.py', of: 'hyunwoongko, dot product', calls: ['import torch', seed, 'q, k, v = (torch.randn(1, 2, 3, 4) for _ in range(3))', 'out, score = ScaleDotProductAttention()(q, k, v)'] },
  {
    file: 'hyun_mha.py', of: 'hyunwoongko, multi-head', before: ['hyun_sdp.py'],
    calls: ['import torch', seed, 'layer = MultiHeadAttention(8, 2)', 'x = torch.randn(1, 3, 8)', 'out = layer(x, x, x)'],
  },
]; // prettier-ignore
