/** OpenAI's tiktoken, in Python from tiktoken/core.py and model.py; ids and texts come from the vocabularies that the extension has (`tokens.ts`). */
export const tiktoken = String.raw`
class Encoding:
    def __init__(self, name):
        self.name = name
        self.n_vocab, self.eot_token, self._specials = _encoding(name)
        self.max_token_value = self.n_vocab - 1

    def encode(self, text, *, allowed_special=(), disallowed_special="all"):
        allowed = self._specials if allowed_special == "all" else list(allowed_special)
        refused = [one for one in self._specials if one not in allowed] if disallowed_special == "all" else list(disallowed_special)
        for one in refused:
            if one in text:
                raise ValueError("Encountered text corresponding to disallowed special token " + repr(one) + ".")
        return _token_ids(self.name, text, any([one in text for one in allowed]))

    def encode_ordinary(self, text):
        return _token_ids(self.name, text, False)

    def encode_batch(self, text, *, num_threads=8, allowed_special=(), disallowed_special="all"):
        return [self.encode(one, allowed_special=allowed_special, disallowed_special=disallowed_special) for one in text]

    def encode_ordinary_batch(self, text, *, num_threads=8):
        return [self.encode_ordinary(one) for one in text]

    def decode(self, tokens, errors="replace"):
        return _token_text(self.name, list(tokens))

    def decode_batch(self, batch, *, errors="replace", num_threads=8):
        return [self.decode(one) for one in batch]


def get_encoding(encoding_name):
    return Encoding(encoding_name)


def encoding_for_model(model_name):
    if model_name in ("gpt2", "gpt-2"):
        return Encoding("gpt2")
    if model_name.startswith(("gpt-4o", "gpt-4.1", "gpt-5", "chatgpt-4o", "o1", "o3", "o4-mini")):
        return Encoding("o200k_base")
    if model_name.startswith(("gpt-4", "gpt-3.5", "gpt-35-turbo", "text-embedding-ada-002", "text-embedding-3-")):
        return Encoding("cl100k_base")
    return _encoding(model_name)
`;
