package io.flinkgpu.applications;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RowRedactor;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class LineRedactorTest {

    private static final CompiledRules RULES =
            RuleCompiler.compile(
                    RuleSet.of(
                            Rule.of("mark", "#\\d#|[(][)]", Action.drop()),
                            Rule.of("secret", "password=\\S+", Action.label("[SECRET]")),
                            Rule.of("digits", "\\b\\d{4}\\b", Action.maskKeepLast(1))));

    private static final String[] PARTS = {
        "#",
        "1",
        "#1#",
        "(",
        ")",
        "()",
        "pass",
        "word=",
        "password=x",
        " ",
        "12",
        "\u00e9",
        "\u00c3\u00a9"
    };

    private final LineRedactor redactor = new LineRedactor(RULES, new byte[0]);

    /** File names that name a service in statistics come by this way. */
    @Test
    void whatADropBringsTogetherIsRedacted() {
        assertThat(redactor.redact("pass#1#word=hunter2")).isEqualTo("[SECRET]");
        assertThat(redactor.redact("12#1#34 1()2")).isEqualTo("***4 12");
    }

    /** A preview shows the line from there on. */
    @Test
    void replacementsAreWithinTheLine() {
        byte[] nested = ("a".repeat(50) + "(".repeat(9) + ")".repeat(9)).getBytes();
        LineRedactor.Redacted redacted = redactor.redact(nested);
        assertThat(redacted.line()).isEmpty();
        assertThat(redacted.matches()).containsExactly(new LineRedactor.Match(0, 58, 0));
    }

    @Test
    void linesAreRedactedAsByJobs() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RowRedactor rows = new RowRedactor(RULES, new byte[0]);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder line = new StringBuilder();
            for (int parts = random.nextInt(12); parts > 0; parts--) {
                line.append(PARTS[random.nextInt(PARTS.length)]);
            }
            byte[] bytes = line.toString().getBytes(StandardCharsets.ISO_8859_1);
            int length = rows.redact(bytes, bytes.length, new long[3]);
            assertThat(redactor.redact(bytes).line())
                    .as("seed=%d line=%s", seed, line)
                    .isEqualTo(Arrays.copyOf(rows.buffer(), length));
        }
    }
}
