package io.flinkgpu.backend.cpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.cpu.redact.ByteFinder;
import io.flinkgpu.backend.cpu.redact.Scanner;
import io.flinkgpu.backend.cpu.redact.TextWriter;
import io.flinkgpu.backend.cpu.transform.CaseMapping;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Lengths and offsets near 2^31, as far as they show without a text that is so large.
 *
 * <p>Covers: ByteFinder, Scanner, TextWriter.
 */
class LargeTextsTest {

    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void aTextInAnotherCaseHasRoom() {
        assertThat(CaseMapping.mostBytes(1_500_000_000)).isEqualTo(2_250_000_000L);
    }

    @Test
    void aCopyThatIsLargerThanMemorySaysSo() {
        try (ArrowBuf offsets = allocator.buffer(8)) {
            offsets.setInt(0, 0);
            offsets.setInt(4, Integer.MAX_VALUE);
            TextView text = new TextView(1, 0, offsets.memoryAddress(), 0);
            assertThatThrownBy(() -> new TextWriter(allocator, text))
                    .isInstanceOf(OutOfMemoryException.class);
        }
    }

    @Test
    void aByteBehindTheEndIsNotFound() {
        try (ArrowBuf memory = tail(".....x..")) {
            long end = memory.memoryAddress() + 4;
            ByteFinder finder = new ByteFinder('x', end - Integer.MAX_VALUE, Integer.MAX_VALUE);
            assertThat(finder.occursIn(Integer.MAX_VALUE - 4, Integer.MAX_VALUE)).isFalse();
        }
    }

    @Test
    void aMatchAtTheEndIsFound() {
        RuleSet rules = RuleSet.of(Rule.of("short", "ab", Action.drop()));
        try (ArrowBuf memory = tail("...ab")) {
            long end = memory.memoryAddress() + 5;
            int from = Integer.MAX_VALUE - 5;
            CompiledRules compiled = RuleCompiler.compile(rules);
            Scanner scanner = new Scanner(compiled.dfa(), compiled.rivals());
            scanner.startRow(end - Integer.MAX_VALUE, from, Integer.MAX_VALUE);
            assertThat(scanner.find(from)).isTrue();
            assertThat(scanner.end()).isEqualTo(Integer.MAX_VALUE);
        }
    }

    /** The last bytes of a text. */
    private ArrowBuf tail(String ascii) {
        ArrowBuf memory = allocator.buffer(64);
        memory.setZero(0, memory.capacity());
        memory.setBytes(0, ascii.getBytes(StandardCharsets.US_ASCII));
        return memory;
    }
}
