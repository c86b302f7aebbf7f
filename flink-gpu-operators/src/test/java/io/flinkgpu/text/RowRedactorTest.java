package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RowRedactor, RowContext, RowJudge.
 */
class RowRedactorTest {

    private static final RuleSet RULES =
            RuleSet.of(
                    Rule.of("card", "\\d{13,19}", Action.maskKeepLast(4))
                            .withValidator(Validator.LUHN),
                    Rule.of("name", "n=[a-z]+", Action.label("n=[A LONG LABEL]"))
                            .withAllowList(AllowList.ofValues("n=none")),
                    Rule.of("tail", "#.*$", Action.drop()));

    private final long[] matches = new long[RULES.size()];
    private final RowRedactor redactor = new RowRedactor(RuleCompiler.compile(RULES), new byte[0]);

    @Test
    void replacesKeepsAndGoesOnBehindRejectedStarts() {
        assertThat(redact("n=bob n=none é 4111111111111111 # é"))
                .isEqualTo("n=[A LONG LABEL] n=none é ************1111 ");
        // The card starts one digit behind the first start, which the checksum rejects.
        assertThat(redact("24111111111111111x")).isEqualTo("2************1111x");
        assertThat(matches).containsExactly(2, 1, 1);
    }

    @Test
    void triesLaterRulesWhereAMatchIsRefusedOrKept() {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("card", "\\d{13,19}", Action.drop()).withValidator(Validator.LUHN),
                        Rule.of("id", "\\d{4,}x?", Action.label("ID"))
                                .withAllowList(AllowList.ofPrefixes("1234")),
                        Rule.of("short", "[1-4]{4}", Action.label("S")));
        RowRedactor each = new RowRedactor(RuleCompiler.compile(rules), new byte[0]);

        assertThat(redact(each, "4111111111111112")).isEqualTo("ID");
        assertThat(redact(each, "1234999999999999x")).isEqualTo("S999999999999x");
        // Nothing is left of the kept text of the row before.
        assertThat(redact(each, "999999999999x")).isEqualTo("ID");
    }

    @Test
    void tellsWhetherItChangedTheRow() {
        assertThat(redact("n=none")).isEqualTo("n=none");
        assertThat(redactor.changed()).isFalse();
        assertThat(redact("#")).isEmpty();
        assertThat(redactor.changed()).isTrue();
        assertThat(redact("")).isEmpty();
        assertThat(redactor.changed()).isFalse();
    }

    @Test
    void growsWithTheRow() {
        assertThat(redact("n=a ".repeat(5000))).isEqualTo("n=[A LONG LABEL] ".repeat(5000));
        assertThat(matches).containsExactly(0, 5000, 0);
    }

    @Test
    void aByteThatIsNoUtf8EndsNoMatch() {
        RowRedactor secrets =
                new RowRedactor(
                        RuleCompiler.compile(
                                RuleSet.of(
                                        Rule.of("s", "password=\\S+", Action.label("[S]")),
                                        Rule.of("m", "pin=.*", Action.maskKeepLast(3)))),
                        new byte[0]);
        assertThat(latin1(secrets, "\u00ff password=geh\u00e9im1 \u00e2\u0082 x"))
                .isEqualTo("\u00ff [S] \u00e2\u0082 x");
        assertThat(latin1(secrets, "pin=\u00e9\u00c3\u00a9\u00e2\u0082"))
                .isEqualTo("*****\u00c3\u00a9\u00e2\u0082");
    }

    private String latin1(RowRedactor by, String row) {
        byte[] bytes = row.getBytes(StandardCharsets.ISO_8859_1);
        int length = by.redact(bytes, bytes.length, matches);
        return new String(by.buffer(), 0, length, StandardCharsets.ISO_8859_1);
    }

    private String redact(String row) {
        return redact(redactor, row);
    }

    private String redact(RowRedactor by, String row) {
        byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
        int length = by.redact(bytes, bytes.length, matches);
        return new String(by.buffer(), 0, length, StandardCharsets.UTF_8);
    }
}
