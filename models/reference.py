#!/usr/bin/env python3
"""Writes what the reference implementation makes of fixed texts, for the tests of crates/inference.

    python convert.py MODEL_DIR FLOAT_DIR --float32
    python reference.py MODEL_DIR FLOAT_DIR OUT_DIR

Needs the packages tokenizers (the reference for tokens.json, with MODEL_DIR/tokenizer.json) and onnxruntime
(the reference for vectors.json, with the unquantised graph in FLOAT_DIR). Same input, same output.
"""

import json
import pathlib
import random
import sys

import numpy as np
import onnxruntime
import tokenizers

TOKENS_MAX = 128  # as in crates/inference

LINES = [
    "Create a new issue in a repository",
    "list_pull_requests",
    "getUserByEmailAddress",
    "HTTPServerURLParser2",
    "Delete a file; this can't be undone!",
    "Returns the current weather (°C or °F) for a city, e.g. 'Zürich'.",
    "send-email --to=bob@example.com --cc alice",
    "https://example.com/a/b?c=d&e=%20#frag",
    "SELECT * FROM orders WHERE total >= 99.95 AND state <> 'open'",
    '{"type":"object","properties":{"id":{"type":"integer"}}}',
    "v1.2.3-beta+exp.sha.5114f85",
    "Query p99 latency over the last 24h",
    "Bitte storniere meine Bestellung Nr. 4711 und überweise das Geld zurück",
    "¿Cuánto cuesta el envío a España? ¡Rápido!",
    "L'élève a réservé un hôtel près de l'aéroport",
    "Œuvre cœur ﬁn straße İstanbul ǅ",
    "Xin chào, tôi muốn đặt một vé máy bay",
    "Cafe\u0301 naïve e\u0302\u0323 Å ñ",
    "Создай задачу в проекте и назначь её на меня",
    "Βρες όλα τα αρχεία που άλλαξαν χθες ΟΔΟΣ",
    "ابحث عن أقرب مطعم إلى موقعي",
    "מצא את הקבצים שהשתנו אתמול",
    "मेरे खाते का शेष दिखाओ",
    "แสดงรายการคำสั่งซื้อทั้งหมด",
    "查询最近的订单并发送电子邮件",
    "明日の会議をキャンセルして",
    "내일 회의 일정을 취소해줘",
    "混合 mixed 文字 text テスト",
    "🚀 Deploy the app 🎉",
    "👨‍👩‍👧‍👦 family 🇩🇪 flag 👍🏽",
    "☃ snow ✓ done → next ∑ x² ≤ ½",
    "“curly” ‘quotes’ — dash – en … ellipsis",
    "$100 £20 €30 ¥40 50¢ 10% #tag @user ~home ^caret `tick` |pipe|",
    "[CLS] hello [SEP] [MASK] [UNK] [PAD]",
    "##ing ##",
    "",
    " ",
    "\t\n\r ",
    "\x00",
    "a\x00b",
    "tab\tnew\nline\r\nend",
    "bell\x07 del\x7f nel\x85 escape\x1b[31m",
    "zero\u200bwidth soft\u00adhyphen \ufeffbom word\u2060joiner",
    "no\u00a0break thin\u2009space ideographic\u3000space line\u2028separator",
    "replacement \ufffd private \ue000 use",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "é" * 100,
    "é" * 101,
    "字" * 200,
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "antidisestablishmentarianism",
    "a" * 5000,
    "word " * 300,
    "!" * 300,
    "ab-" * 100,
    "12345678901234567890 3.14159 1,000,000 0xDEADBEEF",
    "don't I'll we've o'clock",
    "snake_case kebab-case dot.case camelCase PascalCase SCREAMING_CASE",
]

POOLS = [
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßœšžłđğışčćń",
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŸŒŠŽŁĐĞİŞČĆŃ",
    "\u0300\u0301\u0302\u0303\u0308\u0323\u0327\u0328\u05b0\u064b\u093c\u0e34\u3099",
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюяЙЁЩ",
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώΑΒΓΣΩ",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "कखगघचछजटडतदनपबमयरलवसह",
    "กขคงจชซดตถทนบปผพมยรลวสห",
    "一二三四五六七八九十百千万人大中国日本語文字漢",
    "あいうえおかきくけこアイウエオカキクケコがぎぐパピプー",
    "가나다라마바사아자차카타파하한국어각힣",
    "😀🚀🎉👍❤☃✓→∑≤½²µ°§¶©®™€£¥",
    "\x00\x01\x07\x1f\x7f\x80\x85\x9f\u00ad\u200b\u200d\u200e\u2060\ufeff\ufffd\ue000",
    " \t\n\r\u00a0\u1680\u2003\u2009\u2028\u2029\u202f\u205f\u3000",
    "“”‘’«»—–…、。「」！？（）·•¿¡‽⸮",
]

VECTOR_TEXTS = [
    "This is an example sentence",
    "create_issue Create a new issue in a GitHub repository",
    "How many orders did we ship last week?",
    "Bitte storniere meine letzte Bestellung",
    "🚀 部署应用",
    "x",
]


def random_texts(count):
    """Texts of words of one to twelve characters, mostly of one script each, some mixed."""
    rng = random.Random(20)
    texts = []
    for _ in range(count):
        words = []
        for _ in range(rng.randint(1, 12)):
            pools = rng.sample(POOLS, rng.choice([1, 1, 1, 2, 3]))
            words.append("".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 12))))
        texts.append(" ".join(words))
    return texts


def main():
    model_dir, float_dir, out_dir = map(pathlib.Path, sys.argv[1:])
    tokenizer = tokenizers.Tokenizer.from_file(str(model_dir / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)
    # Markers inside a text are text, as in crates/inference.
    tokenizer.encode_special_tokens = True

    texts = LINES + random_texts(240)
    cases = [{"text": text, "tokens": tokenizer.encode(text).ids} for text in texts]
    rows = ",\n".join(json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in cases)
    (out_dir / "tokens.json").write_text(f"[\n{rows}\n]\n")

    session = onnxruntime.InferenceSession(str(float_dir / "model.onnx"), providers=["CPUExecutionProvider"])
    cases = []
    for text in VECTOR_TEXTS:
        tokens = np.array([tokenizer.encode(text).ids], np.int64)
        (vector,) = session.run(None, {"input_ids": tokens})[0]
        vector = vector / np.linalg.norm(vector)
        cases.append({"text": text, "vector": [round(float(value), 4) for value in vector]})
    rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    (out_dir / "vectors.json").write_text(f"[\n{rows}\n]\n")
    print(f"{len(texts)} texts with tokens, {len(cases)} with vectors")


if __name__ == "__main__":
    main()
