package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: JoinedText, LinearMatches.
 */
class JoinedTextTest {

    private static final RuleSet RULES =
            RuleSet.of(
                    Rule.of("mark", "#\\d#|[(][)]", Action.drop()),
                    Rule.of("secret", "password=\\S+", Action.label("<X>")),
                    Rule.of("label", "<\\w>", Action.label("again")),
                    Rule.of("digits", "\\b\\d{4}\\b", Action.maskKeepLast(1)),
                    Rule.of("first", "^id\\d|zz$", Action.label("<I>")));

    private final long[] matches = new long[RULES.size()];

    @ParameterizedTest
    @CsvSource({
        "pass#1#word=hunter2, <X>",
        "pass#1#wo#2#rd=hun#3#ter2 rest, <X> rest",
        "pass##1#2#word=hunter2, <X>",
        // No place where something was left out: labels are not seen again.
        "password=hunter2, <X>",
        "password=hunter2 then a#1#b, <X> then ab",
        // What stands at such a place is seen as it stands now, labels too.
        "password=hunter2 then #1#<y>, <X> then again",
        "<y>#1#, again",
        "12#1#34, ***4",
        "1()234 x()12345, ***4 x12345",
        "#1#id1 id2, <I> id2",
        "#1#, ''",
    })
    void textThatCameTogetherIsRedacted(String text, String expected) {
        assertThat(redact(text)).isEqualTo(expected);
    }

    @Test
    void aLineEndMayBeBetween() {
        assertThat(redact("zz\r\n#1#")).isEqualTo("<I>\r\n");
        assertThat(redact("zz    #1#")).isEqualTo("zz    ");
    }

    @Test
    void matchesOfLaterScansCount() {
        redact("pass#1#word=hunter2");
        assertThat(matches).containsExactly(1, 1, 0, 0, 0);
    }

    @Test
    void aRowIsDroppedWholeIfEachScanJoinsMore() {
        assertThat(redact("a" + nested(JoinedText.MAX_SCANS) + "b")).isEqualTo("ab");
        assertThat(redact("a" + nested(JoinedText.MAX_SCANS + 1) + "b")).isEmpty();
        assertThat(redact("pass" + nested(JoinedText.MAX_SCANS) + "word=x")).isEqualTo("<X>");
    }

    private static String nested(int depth) {
        return "(".repeat(depth) + ")".repeat(depth);
    }

    private String redact(String text) {
        RowRedactor redactor = new RowRedactor(RuleCompiler.compile(RULES), new byte[0]);
        byte[] row = text.getBytes(StandardCharsets.UTF_8);
        int length = redactor.redact(row, row.length, matches);
        return new String(redactor.buffer(), 0, length, StandardCharsets.UTF_8);
    }
}
