#!/usr/bin/env python3
"""Makes a tiny multilingual sentence encoder for tests: the files of this folder, the same bytes each time.

    python make.py        with numpy, onnx, onnxruntime and tokenizers

It has the shape of a real one (a Unigram tokenizer.json, an ONNX graph with int64 inputs that gives one vector a
token, a pooling config) and knows two dozen things in ten languages: words for the same thing have almost the
same embedding, and two transformer layers with small random weights hardly change it. Everything else it reads
letter by letter, and makes almost nothing of it.

expected.json holds tokens and vectors of some texts, computed by other programs than ours, to compare with.
"""

import json
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

HERE = pathlib.Path(__file__).resolve().parent
# What the encoder takes the common part of all vectors from.
REFERENCE = HERE.parents[2] / "src/sentence/reference.txt"
SIZE, HEADS, INNER, LAYERS, POSITIONS = 32, 2, 48, 2, 130
random = np.random.default_rng(20260101)

# One line a thing: the words for it, in English, German, Spanish, French, Portuguese, Russian, Ukrainian, Chinese,
# Japanese and Korean.
THINGS = """
invoice bill invoices | rechnung rechnungen | factura facturas | facture factures | fatura faturas | счёт счета счет | рахунок рахунки | 发票 账单 | 請求書 | 청구서를 청구서
send mail dispatch sends | schicke sende versende schick | envía enviar manda | envoie envoyer | envie enviar mande | отправь пошли отправить | надішли відправ | 发送 寄给 送给 送 寄 | 送って 送信 | 보내줘 보내
customer client customers | kunden kunde kundin | cliente clientes | client clients | cliente | клиенту клиента клиент | клієнту клієнта клієнт | 客户 顾客 | 顧客 お客様 | 고객에게 고객
parcel package shipment | paket päckchen sendung | paquete envío | colis paquet | encomenda pacote | посылка посылку посылки | посилка посилку | 包裹 快递 | 荷物 小包 | 소포 택배
track trace locate whereabouts | verfolge wo finde | dónde rastrea | où suis | onde rastreie | где отследи | де відстеж | 在哪里 追踪 | どこ 追跡 | 어디 추적
weather forecast | wetter wetterbericht | tiempo clima pronóstico | météo temps | previsão | погода погоду прогноз | погоду погода | 天气 预报 | 天気 予報 | 날씨
city town | stadt | ciudad | ville | cidade | город городе города | місто місті | 城市 | 都市 街 | 도시
meeting appointment event | termin besprechung treffen | reunión cita | réunion rendez | reunião encontro | встреча встречу совещание | зустріч нараду | 会议 会面 | 会議 打ち合わせ | 회의
create schedule arrange plan | plane erstelle vereinbare | organiza crea | planifie organise | marque agende | назначь создай запланируй | заплануй створи | 安排 创建 | 予定 作成 | 잡아줘
delete remove erase | lösche entferne | borra elimina | supprime efface | apague exclua | удали сотри | видали зітри | 删除 | 削除 | 삭제
file document files | datei dateien dokument | archivo documento | fichier document | arquivo | файл файлы документ | файл документ | 文件 文档 | ファイル 書類 | 파일
refund reimburse | erstatte rückerstattung | reembolsa reembolso | rembourse remboursement | reembolse | возврат верни возмести | поверни відшкодуй | 退款 | 返金 | 환불
payment money amount | zahlung geld betrag | pago dinero | paiement argent | pagamento dinheiro | деньги платёж оплату | гроші платіж | 付款 钱 | 支払い お金 | 결제 돈
password passcode | passwort kennwort | contraseña | passe | senha | пароль пароля | пароль | 密码 | パスワード | 비밀번호
reset renew | zurücksetzen setze | restablece | réinitialise | redefina | сбрось обнови | скинь онови | 重置 | リセット | 재설정
leave vacation holiday | urlaub ferien | vacaciones | congé vacances | férias | отпуск отпуска | відпустку відпустка | 休假 假期 | 休暇 | 휴가
employee staff worker | mitarbeiter angestellte | empleado | employé salarié | funcionário | сотрудник сотрудника | працівник | 员工 | 社員 従業員 | 직원
flight plane | flug flüge | vuelo | vol | voo | рейс перелёт авиабилет | рейс авіаквиток | 航班 机票 | 飛行機 航空券 | 비행기
reserve book | buche reserviere | reserva | réserve | reserve | забронируй закажи | забронюй | 预订 | 予約 | 예약
translate translation | übersetze übersetzung | traduce | traduis | traduza | переведи перевод | переклади | 翻译 | 翻訳 | 번역
temperature thermostat heating | temperatur heizung | temperatura calefacción | chauffage | aquecimento | отопление температуру | опалення | 温度 暖气 | 温度 暖房 | 난방
photo picture image | foto bild | imagen | photo | imagem | фото снимок | світлину | 照片 图片 | 写真 | 사진
"""
FILLERS = "a an the of to and with in for from by on is my der die das den dem an für el la los para le les du o os в на и для 的 给 我 を に は の".split()
LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßáéíóúñçàèêôîâãõабвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ0123456789.,!?-_'"

TEXTS = [
    "Send an invoice to a customer",
    "отправь счёт клиенту",
    "Где моя посылка?",
    "送发票给客户",
    "荷物はどこ",
    "청구서를 고객에게 보내줘",
    "Lösche die Datei",
    "zqxj",
    "",
    "weather " * 200,
]


def vocabulary():
    """Pieces with their scores, and the embedding of each."""
    directions, _ = np.linalg.qr(random.normal(size=(SIZE, SIZE)))
    things = [line.replace("|", " ").split() for line in THINGS.strip().splitlines()]
    assert len(things) < SIZE
    known = {}
    for direction, words in zip(directions, things):
        for word in words:
            known.setdefault(word, []).append(direction)
    pieces, embeddings = [], []

    def add(piece, score, embedding):
        pieces.append((piece, score))
        embeddings.append(embedding + random.normal(size=SIZE, scale=0.01))

    for marker in ["<s>", "<pad>", "</s>", "<unk>"]:
        add(marker, 0.0, np.zeros(SIZE))
    add("▁", -6.0, np.zeros(SIZE))
    for word, meanings in known.items():
        # A word that several languages share may mean several things.
        meaning = np.sum(meanings, axis=0) / len(meanings)
        spaced = ord(word[0]) < 0x2E80 or 0xAC00 <= ord(word[0]) <= 0xD7A3
        add("▁" + word if spaced else word, -8.0, meaning)
    for word in dict.fromkeys(FILLERS):
        spaced = ord(word[0]) < 0x2E80
        piece = "▁" + word if spaced else word
        if all(piece != other for other, _ in pieces):
            add(piece, -8.0, np.zeros(SIZE))
    for letter in dict.fromkeys(LETTERS):
        add(letter, -12.0, np.zeros(SIZE))
    return pieces, np.array(embeddings, np.float32)


def tokenizer(pieces):
    made = Tokenizer(models.Unigram(pieces, unk_id=3))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    made.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    # Real files come with the padding of their training; readers must not take it over.
    made.enable_padding(pad_id=1, pad_token="<pad>", length=64)
    return made


class Graph:
    """Collects nodes and weights. Methods give the name of what they compute."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def constant(self, array):
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator, *inputs, output=None, **attributes):
        output = output or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def linear(self, value, rows, columns, scale):
        weights = random.normal(size=(rows, columns), scale=scale).astype(np.float32)
        bias = self.constant(np.zeros(columns, np.float32))
        return self.node("Add", self.node("MatMul", value, self.constant(weights)), bias)

    def normalized(self, value):
        ones, zeros = (self.constant(np.full(SIZE, x, np.float32)) for x in (1, 0))
        return self.node("LayerNormalization", value, ones, zeros, axis=-1, epsilon=1e-5)

    def heads(self, value):
        shape = self.constant(np.array([0, 0, HEADS, SIZE // HEADS], np.int64))
        return self.node("Transpose", self.node("Reshape", value, shape), perm=[0, 2, 1, 3])

    def attention(self, value, mask):
        query, key, content = (self.heads(self.linear(value, SIZE, SIZE, 0.1)) for _ in range(3))
        scores = self.node("MatMul", query, self.node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self.node("Div", scores, self.constant(np.float32(np.sqrt(SIZE // HEADS))))
        weights = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", weights, content), perm=[0, 2, 1, 3])
        mixed = self.node("Reshape", mixed, self.constant(np.array([0, 0, SIZE], np.int64)))
        return self.linear(mixed, SIZE, SIZE, 0.003)

    def feed_forward(self, value):
        inner = self.linear(value, SIZE, INNER, 0.1)
        root = self.node("Div", inner, self.constant(np.float32(np.sqrt(2))))
        bell = self.node("Add", self.node("Erf", root), self.constant(np.float32(1)))
        half = self.node("Mul", inner, self.constant(np.float32(0.5)))
        return self.linear(self.node("Mul", half, bell), INNER, SIZE, 0.003)

    def positions(self):
        """0 to the number of tokens, as exporters write it."""
        shape = self.node("Shape", "input_ids")
        count = self.node("Gather", shape, self.constant(np.int64(1)))
        numbers = self.node("Range", self.constant(np.int64(0)), count, self.constant(np.int64(1)))
        table = random.normal(size=(POSITIONS, SIZE), scale=0.005).astype(np.float32)
        return self.node("Gather", self.constant(table), numbers)

    def mask(self):
        """0 for tokens, a large negative number for padding."""
        axes = self.constant(np.array([1, 2], np.int64))
        given = self.node("Cast", self.node("Unsqueeze", "attention_mask", axes), to=TensorProto.FLOAT)
        absent = self.node("Sub", self.constant(np.float32(1)), given)
        return self.node("Mul", absent, self.constant(np.float32(-1e4)))


def network(embeddings):
    graph = Graph()
    mask = graph.mask()
    value = graph.node("Add", graph.node("Gather", graph.constant(embeddings), "input_ids"), graph.positions())
    for layer in range(LAYERS):
        value = graph.node("Add", value, graph.attention(graph.normalized(value), mask))
        last = {"output": "last_hidden_state"} if layer == LAYERS - 1 else {}
        value = graph.node("Add", value, graph.feed_forward(graph.normalized(value)), **last)
    tokens = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
              for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info(value, TensorProto.FLOAT, ["batch", "sequence", SIZE])
    made = helper.make_graph(graph.nodes, "tiny_multilingual", tokens, [output], graph.weights)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], producer_name="make.py")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model.SerializeToString()


def expected(model, made):
    session = onnxruntime.InferenceSession(model)
    made.no_padding()
    made.enable_truncation(128)

    def unit(vector):
        return vector / np.linalg.norm(vector)

    def encoded(text):
        tokens = made.encode(text).ids
        inputs = {"input_ids": [tokens], "attention_mask": [[1] * len(tokens)]}
        (vectors,) = session.run(None, {name: np.array(value, np.int64) for name, value in inputs.items()})
        return tokens, unit(vectors[0].mean(axis=0))

    common = np.mean([encoded(text)[1] for text in REFERENCE.read_text().splitlines()], axis=0)
    for text in TEXTS:
        tokens, vector = encoded(text)
        vector = [round(float(x), 4) for x in unit(vector - common)]
        yield {"text": text, "tokens": tokens, "vector": vector}


def main():
    pieces, embeddings = vocabulary()
    made, model = tokenizer(pieces), network(embeddings)
    (HERE / "model.onnx").write_bytes(model)
    (HERE / "tokenizer.json").write_text(made.to_str() + "\n", encoding="utf-8")
    (HERE / "1_Pooling").mkdir(exist_ok=True)
    pooling = {"word_embedding_dimension": SIZE, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}
    (HERE / "1_Pooling/config.json").write_text(json.dumps(pooling, indent=1) + "\n")
    cases = [json.dumps(case, ensure_ascii=False) for case in expected(model, made)]
    (HERE / "expected.json").write_text("[\n" + ",\n".join(cases) + "\n]\n", encoding="utf-8")
    print(f"{len(pieces)} pieces, {len(model)} bytes")


main()
