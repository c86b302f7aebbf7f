package io.flinkgpu.text.fields;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.record.RecordRedactor;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random JSON, redacted by rules that match across quotes, escapes and names: it is JSON of the same shape.
 *
 * <p>Covers: FieldScanner, FieldRules, PathSet.
 */
class JsonStaysJsonTest {

    private static final long SEED = 20_261_127;
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final RuleSet RULES =
            RuleSet.of(
                            Rule.of("bound", "(?s)[a-cé].*", Action.label("<\"\\\n>")),
                            Rule.of("across", "c[^a]{1,9}", Action.maskKeepLast(2)),
                            Rule.of("escape", "[n\\\\\"]bc?", new Action.Mask(1, 0, '"')),
                            Rule.of("pair", "[\\ud83d\\ude00\"]+", Action.label("\\")),
                            Rule.of("number", "\\d[\\d.e]*", Action.maskFormat()),
                            Rule.of("hash", "A\\W?", Action.hash("", 16, "\t")))
                    .withForms(Form.JSON, Form.UNICODE)
                    .withStructure(Structure.json().bind("bound", "a", "**.bc"));

    @Test
    void andNothingButValuesAndNamesChanges() {
        RecordRedactor redactor = new RecordRedactor(RuleCompiler.compile(RULES), KEY);
        FieldScanner scanner = FieldScanner.of(RULES, RULES.structure().orElseThrow());
        Random random = new Random(SEED);
        int changed = 0;
        for (int i = 0; i < 20_000; i++) {
            String text = JsonScannerTest.value(random, 0);
            byte[] record = text.getBytes(StandardCharsets.UTF_8);
            assertThat(scanner.scan(record, record.length)).as(text).isTrue();
            String before = shape(record, record.length, scanner);
            int length = redactor.redact(record, record.length, new long[RULES.size()]);
            byte[] result = redactor.buffer().clone();
            String as =
                    "seed=%d i=%d %s -> %s"
                            .formatted(
                                    SEED,
                                    i,
                                    text,
                                    new String(result, 0, length, StandardCharsets.UTF_8));
            assertThat(scanner.scan(result, length)).as(as).isTrue();
            assertThat(shape(result, length, scanner)).as(as).isEqualTo(before);
            changed += redactor.changed() ? 1 : 0;
        }
        assertThat(changed).isBetween(4_000, 19_000);
    }

    /** The text with a mark for each name and value, in quotes or not. */
    private static String shape(byte[] record, int length, FieldScanner scanner) {
        List<Fields.Token> tokens = scanner.fields().tokens();
        StringBuilder shape = new StringBuilder();
        int at = 0;
        for (Fields.Token token : tokens) {
            int quote = token.kind() == Fields.Kind.BARE ? 0 : 1;
            shape.append(
                    new String(record, at, token.from() - quote - at, StandardCharsets.ISO_8859_1));
            shape.append(token.kind() == Fields.Kind.KEY ? 'k' : 'v');
            at = token.to() + quote;
        }
        return shape.append(new String(record, at, length - at, StandardCharsets.ISO_8859_1))
                .toString();
    }
}
