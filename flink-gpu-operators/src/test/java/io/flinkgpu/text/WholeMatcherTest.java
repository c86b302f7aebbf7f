package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.regex.RuleErrors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: WholeMatcher.
 */
class WholeMatcherTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20260401);
    private static final int REGEXES = Integer.getInteger("fuzz.regexes", 300);
    private static final int ROWS = 20;

    @Test
    void answersAsTheJdkDoes() {
        int matched = 0;
        int compared = 0;
        for (int i = 0; i < REGEXES; i++) {
            long seed = SEED + i;
            RandomRegex source = new RandomRegex(new Random(seed));
            String regex = source.regex();
            Pattern pattern = byJdk(regex);
            WholeMatcher matcher = pattern == null ? null : compiled(regex);
            for (int j = 0; j < ROWS && matcher != null; j++) {
                String row = j == 0 ? "" : source.row();
                row = row.substring(0, row.offsetByCodePoints(0, Math.min(3, codePoints(row))));
                boolean expected = pattern.matcher(row).matches();
                assertThat(matches(matcher, row.getBytes(StandardCharsets.UTF_8)))
                        .as("seed=%d regex=%s row=%s", seed, regex, RuleErrors.oneLine(row, 99))
                        .isEqualTo(expected);
                matched += expected ? 1 : 0;
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(REGEXES * ROWS / 4);
        assertThat(matched).isGreaterThan(compared / 50);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "a*,\"\",true",
                "a*,aaa,true",
                "a*,aab,false",
                "a|ab,ab,true",
                "a??,a,true",
                "^$,\"\",true",
                "a$,\"a\n\",false",
                "a\\Z,a,true",
                "(?s).*,\"a\r\n\",true",
                "\\bab\\b,ab,true",
                "a|,\"\",true",
                "\"\",\"\",true",
                "\"\",a,false",
                "[a&&b],a,false"
            })
    void allOfATextMustMatch(String regex, String text, boolean expected) {
        assertThat(matches(WholeMatcher.compile(regex), text.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(expected)
                .isEqualTo(Pattern.matches(regex, text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"80", "c2", "e282", "f09f98", "c080", "eda080", "f4908080", "61ff62"})
    void bytesThatAreNotUtf8MatchNothing(String hex) {
        byte[] text = HexFormat.of().parseHex(hex);
        assertThat(matches(WholeMatcher.compile("(?s).*"), text)).isFalse();
        assertThat(matches(WholeMatcher.compile("[^x]*"), text)).isFalse();
    }

    @Test
    void theAutomatonIsMinimal() {
        WholeMatcher matcher = WholeMatcher.compile("(?:aa|ab|ba|bb)*");
        // Dead, the end, an even and an odd number of letters.
        assertThat(matcher.states()).isEqualTo(4);
        assertThat(matcher.classTable()).hasSize(256);
        assertThat(matcher.transitionTable()).hasSize(4 << matcher.strideShift());
    }

    @Test
    void travelsInTheJobGraph() throws Exception {
        WholeMatcher matcher = WholeMatcher.compile("[0-9]{3}");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(matcher);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            WholeMatcher copy = (WholeMatcher) in.readObject();
            assertThat(matches(copy, new byte[] {'1', '2', '3'})).isTrue();
            assertThat(matches(copy, new byte[] {'1', '2'})).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a(?=bc)~lookahead \"(?=\" at index 1 is not supported: only one character class is",
                "(a)\\1~backreference \"\\1\" at index 3 is not supported: write the text out",
                "(a~syntax error at index 2: Unclosed group",
                "(?:a|b)*a(?:a|b){30}~too large, it needs more than"
            })
    void errorsSayWhatAndWhereAndWhatToDo(String regex, String expected) {
        assertThatThrownBy(() -> WholeMatcher.compile(regex))
                .isInstanceOf(RuleException.class)
                .hasMessageStartingWith("A regex to match: " + expected)
                .hasMessageEndingWith(". Regex: " + regex);
    }

    /** Both ways of reading the tables. */
    private static boolean matches(WholeMatcher matcher, byte[] text) {
        int state = matcher.startState();
        int flat = matcher.startState();
        for (byte value : text) {
            state = matcher.next(state, value & 0xff);
            int byteClass = matcher.classTable()[value & 0xff] & 0xff;
            flat = matcher.transitionTable()[(flat << matcher.strideShift()) + byteClass];
        }
        assertThat(flat).isEqualTo(state);
        int end = (flat << matcher.strideShift()) + matcher.endClass();
        boolean accepts = matcher.transitionTable()[end] != WholeMatcher.DEAD;
        assertThat(accepts).isEqualTo(matcher.accepts(state));
        return accepts;
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    private static Pattern byJdk(String regex) {
        try {
            return Found.jdkPattern(List.of(regex));
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    private static WholeMatcher compiled(String regex) {
        try {
            return WholeMatcher.compile(regex);
        } catch (RuleException e) {
            return null;
        }
    }
}
