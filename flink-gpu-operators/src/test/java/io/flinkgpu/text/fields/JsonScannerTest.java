package io.flinkgpu.text.fields;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scanner of JSON against Jackson's parser: what is JSON, and which names and values it has.
 *
 * <p>Covers: JsonScanner.
 */
class JsonScannerTest {

    private static final long SEED = 20_261_126;
    private static final RuleSet RULES =
            RuleSet.of(Rule.of("a", "a", Action.label("b"))).withStructure(Structure.json());
    private static final JsonFactory JACKSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(1000).build())
                    .build();

    private final FieldScanner scanner = FieldScanner.of(RULES, RULES.structure().orElseThrow());

    @Test
    void whatJacksonTakesAndNothingElse() {
        Random random = new Random(SEED);
        int accepted = 0;
        for (int i = 0; i < 60_000; i++) {
            String text = value(random, 0);
            for (int mutations = random.nextInt(3); mutations > 0; mutations--) {
                text = mutated(text, random);
            }
            List<String> expected = byJackson(text);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            boolean is = scanner.scan(bytes, bytes.length);
            assertThat(is).as("seed=%d i=%d %s", SEED, i, text).isEqualTo(expected != null);
            if (is) {
                accepted++;
                assertThat(tokens(bytes)).as(text).isEqualTo(expected);
            }
        }
        assertThat(accepted).isBetween(10_000, 50_000);
    }

    @Test
    void deepAndLongOnes() {
        assertThat(isJson("[".repeat(1000) + "]".repeat(1000))).isTrue();
        assertThat(isJson("[".repeat(1001) + "]".repeat(1001))).isFalse();
        assertThat(isJson("[" + " ".repeat(100_000) + "[" + " ".repeat(100_000) + "]]")).isTrue();
        assertThat(isJson("")).isFalse();
        assertThat(isJson("\"a\"")).isFalse();
        assertThat(isJson("{\"a")).isFalse();
        assertThat(isJson("{\"a\\")).isFalse();
        assertThat(isJson("[-]")).isFalse();
        assertThat(isJson("[tru")).isFalse();
    }

    private boolean isJson(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return scanner.scan(bytes, bytes.length);
    }

    private List<String> tokens(byte[] record) {
        List<String> tokens = new ArrayList<>();
        for (Fields.Token token : scanner.fields().tokens()) {
            String text =
                    token.escaped()
                            ? Unescaped.text(record, token.from(), token.to())
                            : new String(
                                    record,
                                    token.from(),
                                    token.to() - token.from(),
                                    StandardCharsets.UTF_8);
            tokens.add(token.kind() + " " + text);
        }
        return tokens;
    }

    /** Null if the text is not one object or array. */
    private static List<String> byJackson(String text) {
        List<String> tokens = new ArrayList<>();
        int depth = 0;
        int roots = 0;
        try (JsonParser parser = JACKSON.createParser(text.getBytes(StandardCharsets.UTF_8))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (depth == 0 && (!token.isStructStart() || ++roots > 1)) {
                    return null;
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.FIELD_NAME) {
                    tokens.add(Fields.Kind.KEY + " " + parser.currentName());
                } else if (token.isScalarValue()) {
                    Fields.Kind kind =
                            token == JsonToken.VALUE_STRING ? Fields.Kind.QUOTED : Fields.Kind.BARE;
                    tokens.add(kind + " " + parser.getText());
                }
            }
            return roots == 1 ? tokens : null;
        } catch (IOException e) {
            return null;
        }
    }

    static String value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 2 : depth > 4 ? 7 : 9)) {
            case 0, 7 -> container(random, depth, true);
            case 1, 8 -> container(random, depth, false);
            case 2 -> new String[] {"true", "false", "null"}[random.nextInt(3)];
            case 3 ->
                    new String[] {"0", "-1", "12.50", "1e9", "-0.1E+22", "7e-0"}[random.nextInt(6)];
            default -> string(random);
        };
    }

    private static String container(Random random, int depth, boolean object) {
        StringBuilder text = new StringBuilder(object ? "{" : "[").append(space(random));
        for (int i = random.nextInt(4); i > 0; i--) {
            if (object) {
                text.append(string(random)).append(space(random)).append(':').append(space(random));
            }
            text.append(value(random, depth + 1)).append(space(random));
            text.append(i > 1 ? "," + space(random) : "");
        }
        return text.append(object ? '}' : ']').append(space(random)).toString();
    }

    private static String space(Random random) {
        return random.nextInt(4) == 0
                ? new String[] {" ", "\t", "\r\n", "  "}[random.nextInt(4)]
                : "";
    }

    static String string(Random random) {
        String[] pieces = {
            "a",
            "bc",
            "é",
            "😀",
            "\\n",
            "\\\"",
            "\\\\",
            "\\/",
            "\\u0041",
            "\\ud83d\\ude00",
            " ",
            "x.y",
            "{",
            ","
        };
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.append('"').toString();
    }

    private static String mutated(String text, Random random) {
        if (text.isEmpty()) {
            return text;
        }
        int at = text.offsetByCodePoints(0, random.nextInt(text.codePointCount(0, text.length())));
        int next = text.offsetByCodePoints(at, 1);
        String[] put = {"", "\"", "\\", ",", "}", "[", "0", "-", ".", "e", "\u0001", "t", ":", " "};
        return text.substring(0, at) + put[random.nextInt(put.length)] + text.substring(next);
    }
}
