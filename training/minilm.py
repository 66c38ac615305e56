"""How is the encoder computed, trained and saved? MiniLM in PyTorch, on the CPU."""

import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn

TOKENS_MAX = 128


class Layer(nn.Module):
    """One transformer layer; parameter names follow the checkpoint."""

    def __init__(self, size, wide, heads, epsilon):
        super().__init__()
        self.heads = heads
        self.attention = nn.ModuleDict(
            {
                "self": nn.ModuleDict({part: nn.Linear(size, size) for part in ("query", "key", "value")}),
                "output": nn.ModuleDict({"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, epsilon)}),
            }
        )
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = nn.ModuleDict({"dense": nn.Linear(wide, size), "LayerNorm": nn.LayerNorm(size, epsilon)})

    def forward(self, x, mask, dropout):
        batch, length, size = x.shape
        split = lambda part: self.attention["self"][part](x).view(batch, length, self.heads, -1).transpose(1, 2)
        mixed = F.scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(batch, length, size)
        mixed = F.dropout(self.attention["output"]["dense"](mixed), dropout, self.training)
        x = self.attention["output"]["LayerNorm"](mixed + x)
        narrow = self.output["dense"](F.gelu(self.intermediate["dense"](x)))
        return self.output["LayerNorm"](F.dropout(narrow, dropout, self.training) + x)


class MiniLm(nn.Module):
    """A BERT sentence encoder: token lists in, unit vectors out (mean of the tokens)."""

    def __init__(self, folder):
        super().__init__()
        folder = pathlib.Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        tensors = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS_MAX)
        size, epsilon = self.config["hidden_size"], self.config["layer_norm_eps"]
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(self.config["vocab_size"], size),
                "position_embeddings": nn.Embedding(self.config["max_position_embeddings"], size),
                "token_type_embeddings": nn.Embedding(self.config["type_vocab_size"], size),
                "LayerNorm": nn.LayerNorm(size, epsilon),
            }
        )
        layer = lambda: Layer(size, self.config["intermediate_size"], self.config["num_attention_heads"], epsilon)
        self.encoder = nn.ModuleDict(
            {"layer": nn.ModuleList([layer() for _ in range(self.config["num_hidden_layers"])])}
        )
        self.dropout = 0.0
        wanted = self.state_dict().keys()
        self.load_state_dict({name: value for name, value in tensors.items() if name in wanted})

    def tokens(self, texts):
        """Token ids of each text, markers included."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]

    def forward(self, tokens):
        """Unit vectors [len(tokens), size] of lists of token ids."""
        length = max(map(len, tokens))
        ids = torch.tensor([row + [0] * (length - len(row)) for row in tokens])
        real = torch.tensor([[True] * len(row) + [False] * (length - len(row)) for row in tokens])
        table = self.embeddings
        x = table["word_embeddings"](ids) + table["position_embeddings"].weight[:length]
        x = table["LayerNorm"](x + table["token_type_embeddings"].weight[0])
        x = F.dropout(x, self.dropout, self.training)
        mask = None if bool(real.all()) else real[:, None, None, :]
        for layer in self.encoder["layer"]:
            x = layer(x, mask, self.dropout)
        weights = real[:, :, None].to(x.dtype)
        return F.normalize(((x * weights).sum(1) / weights.sum(1)).float(), dim=-1)

    def in_buckets(self, tokens, buckets):
        """The same as calling it, in groups of similar length, so that little is computed for padding."""
        order = sorted(range(len(tokens)), key=lambda index: len(tokens[index]))
        step = -(-len(order) // buckets)
        parts = [order[start : start + step] for start in range(0, len(order), step)]
        vectors = torch.cat([self([tokens[index] for index in part]) for part in parts])
        places = torch.tensor([index for part in parts for index in part])
        return vectors[torch.argsort(places)]

    @torch.no_grad()
    def encode(self, texts, batch=64):
        """Unit vectors [len(texts), size], float32 numpy."""
        was_training = self.training
        self.eval()
        tokens = self.tokens(texts)
        order = sorted(range(len(tokens)), key=lambda index: len(tokens[index]))
        vectors = torch.empty(len(tokens), self.config["hidden_size"])
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                vectors[part] = self([tokens[index] for index in part])
        self.train(was_training)
        return vectors.numpy()

    def save(self, folder, origin):
        """Writes a checkpoint that `models/convert.py` reads."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("config.json", "tokenizer.json"):
            (folder / name).write_text((pathlib.Path(origin) / name).read_text())
        save_file({name: value.contiguous() for name, value in self.state_dict().items()}, folder / "model.safetensors")
