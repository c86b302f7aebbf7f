package io.flinkgpu.text.automaton;

import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.Found;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.TestRules;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: LinearMatcher, LivePositions, LiveSets, WalkMemo.
 */
class LinearMatcherTest {

    private static final String[] SEGMENTED = {
        "a[ab]*0|b",
        "\\ba.{0,50}b\\b",
        "(?:a|ab)*?:|0+",
        "^a|b$|[ab.]+ ",
        "a.{3,30}?0",
        "\\B[0:]+a?"
    };

    private static final int SHORT = 64 << 10;
    private static final int LONG = 1 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void timeIsLinearOnHostileRowsWithTheDefaultRules() {
        CompiledRules rules = RuleCompiler.compile(TestRules.defaults());
        for (String unit : new String[] {"a", "1", "a.", "x@a.", "na\u00efve", "1234-", "::1"}) {
            assertLinear(rules, unit, false);
            assertLinear(rules, unit, true);
        }
    }

    @Test
    void timeIsLinearWhereEveryWalkRunsToTheEndOfTheRow() {
        assertLinear(RuleCompiler.compile(TestRules.of("a[ab]*c|a")), "a", false);
        assertLinear(RuleCompiler.compile(TestRules.of("a[ab]*c|a")), "a", true);
        assertLinear(RuleCompiler.compile(TestRules.of("[0-9]+")), "1", true);
        assertLinear(RuleCompiler.compile(TestRules.of("(?:\\d\\d\\d)+x?|\\d+")), "1", true);
        assertLinear(
                RuleCompiler.compile(TestRules.of("(?:na\u00efve|n|a)+$")), "na\u00efve", true);
    }

    @Test
    void aRowThatNeedsManySetsIsCutIntoSegments() {
        CompiledRules rules = RuleCompiler.compile(TestRules.defaults());
        byte[] row = new byte[20_000];
        Random random = new Random(7);
        String alphabet = "abcdefABCDEF0123456789-._@:/ =ghkeyJ";
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        }
        LinearMatcher tight = new LinearMatcher(rules.nfa(), new LiveSets(rules.nfa(), 50));
        assertThat(Found.byLinearMatcher(tight, row))
                .isNotEmpty()
                .isEqualTo(Found.byDfa(rules.dfa(), row));
        assertThat(Found.byLinearMatcher(rules.newLinearMatcher(), row))
                .isEqualTo(Found.byDfa(rules.dfa(), row));
    }

    @Test
    void segmentsOfAnySizeGiveTheSameMatches() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            CompiledRules rules =
                    RuleCompiler.compile(TestRules.of(SEGMENTED[round % SEGMENTED.length]));
            byte[] row = new byte[random.nextInt(400)];
            for (int i = 0; i < row.length; i++) {
                row[i] = (byte) "ab0:. \n".charAt(random.nextInt(7));
            }
            int size = 1 + random.nextInt(40);
            int sets = 3 + random.nextInt(30);
            LinearMatcher whole = rules.newLinearMatcher();
            LinearMatcher cut =
                    new LinearMatcher(rules.nfa(), new LiveSets(rules.nfa(), sets), size);
            // Twice: what is kept of a row before is of no account.
            for (int again = 0; again < 2; again++) {
                String as = "seed=" + seed + " round=" + round + " size=" + size + " sets=" + sets;
                assertThat(everyStart(cut, row)).as(as).isEqualTo(everyStart(whole, row));
                assertThat(Found.byLinearMatcher(cut, row))
                        .as(as)
                        .isEqualTo(Found.byLinearMatcher(whole, row));
                cut.release();
            }
        }
    }

    /** The matches where each is refused, so that walks go back over the borders of segments. */
    private static List<String> everyStart(LinearMatcher matcher, byte[] row) {
        List<String> found = new ArrayList<>();
        matcher.reset(row, row.length);
        for (int from = 0; matcher.find(from); from = matcher.start() + 1) {
            found.add(matcher.start() + "-" + matcher.end() + " " + matcher.rule());
        }
        return found;
    }

    @Test
    void memoryOfALongRowIsBoundedAndGivenBack() {
        LinearMatcher matcher = RuleCompiler.compile(TestRules.of("a[ab]*c|a")).newLinearMatcher();
        byte[] row = "a".repeat(8 << 20).getBytes(UTF_8);
        matcher.reset(row, row.length);
        assertThat(matcher.heldBytes()).isLessThan(row.length + row.length / 4 + (1 << 20));
        assertThat(matcher.find(row.length - 1)).isTrue();
        matcher.release();
        assertThat(matcher.heldBytes()).isLessThan(1 << 20);
        matcher.reset(row, row.length);
        assertThat(matcher.find(0) && matcher.find(1)).isTrue();
        matcher.release();
        assertThat(matcher.heldBytes()).isLessThan(2 << 20);
    }

    @Test
    void manyMatchersShareTheMemoryOfOne() {
        Nfa nfa = RuleCompiler.compile(TestRules.of("b[ab]{40}c|[ab]{3}$")).nfa();
        Random random = new Random(20_261_127);
        byte[] row = new byte[200_000];
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) (random.nextInt(50) == 0 ? 'c' : random.nextBoolean() ? 'a' : 'b');
        }
        LinearMatcher alone = new LinearMatcher(nfa);
        LinearMatcher sharing = new LinearMatcher(nfa, 1_000);
        assertThat(everyStart(sharing, row))
                .isEqualTo(everyStart(alone, row))
                .hasSizeGreaterThan(500);
        alone.release();
        sharing.release();
        assertThat(sharing.heldBytes()).isLessThan(alone.heldBytes() / 3);
    }

    @Test
    void rowsAllocateNothingOnceTheMatcherIsWarm() {
        LinearMatcher matcher = RuleCompiler.compile(TestRules.defaults()).newLinearMatcher();
        for (int round = 0; round < 3; round++) {
            nanosPerByte(matcher, "bob@example.org 4111 1111 1111 1111 ", SHORT, round == 1);
        }
        byte[] row = "mail bob@example.org from 10.0.0.1, card 4111 1111 1111 1111".getBytes(UTF_8);
        long allocated = 0;
        int matches = 0;
        for (int round = 0; round < 2; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                matcher.reset(row, row.length);
                for (int from = 0; matcher.find(from); from = matcher.start() + 1) {
                    matches++;
                }
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(matches).isGreaterThan(5000);
        assertThat(allocated).isLessThan(1000);
    }

    @Test
    void onlyTheGivenLengthIsRead() {
        LinearMatcher matcher = RuleCompiler.compile(TestRules.of("ab+$")).newLinearMatcher();
        byte[] row = "abbbb".getBytes(UTF_8);
        matcher.reset(row, 3);
        assertThat(matcher.find(0)).isTrue();
        assertThat(matcher.end()).isEqualTo(3);
        matcher.reset(row, 1);
        assertThat(matcher.find(0)).isFalse();
        matcher.reset(row, 0);
        assertThat(matcher.find(0)).isFalse();
    }

    /**
     * A row of 16 times the length may take 16 times as long, with room for noise; a quadratic search
     * would take 256 times as long.
     */
    private static void assertLinear(CompiledRules rules, String unit, boolean reject) {
        LinearMatcher matcher = rules.newLinearMatcher();
        double shortNanos = Double.MAX_VALUE;
        double longNanos = Double.MAX_VALUE;
        for (int repeat = 0; repeat < 3; repeat++) {
            shortNanos = Math.min(shortNanos, nanosPerByte(matcher, unit, SHORT, reject));
            longNanos = Math.min(longNanos, nanosPerByte(matcher, unit, LONG, reject));
        }
        assertThat(longNanos)
                .as("unit=%s reject=%s CPU nanos a byte, short row: %s", unit, reject, shortNanos)
                .isLessThan(8 * Math.max(shortNanos, 50));
    }

    private static double nanosPerByte(
            LinearMatcher matcher, String unit, int length, boolean reject) {
        byte[] bytes = unit.getBytes(UTF_8);
        byte[] row = new byte[length];
        for (int i = 0; i < length; i++) {
            row[i] = bytes[i % bytes.length];
        }
        long began = THREADS.getCurrentThreadCpuTime();
        matcher.reset(row, length);
        int from = 0;
        while (matcher.find(from)) {
            from = reject ? matcher.start() + 1 : matcher.end();
        }
        return (THREADS.getCurrentThreadCpuTime() - began) / (double) length;
    }
}
