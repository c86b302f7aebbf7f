package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What it finds is in the contract of redaction.
 *
 * <p>Covers: CpuRedaction.
 */
class CpuRedactionTest {

    @Test
    void rowsThatTheLinearMatcherFinishedAreCounted() throws Exception {
        RuleSet rules = RuleSet.of(Rule.of("slow", "\\bfoo.{0,500}bar", Action.label("X")));
        try (BufferAllocator allocator = new RootAllocator(256 << 20);
                BatchBuilder builder = new BatchBuilder(allocator, 4, 1 << 20, 0)) {
            for (String row : List.of("foo bar", "foo ".repeat(10_000), "", "foo ".repeat(5_000))) {
                builder.append(row);
            }
            try (ColumnBatch batch = builder.build();
                    CpuRedaction redaction =
                            new CpuRedaction(allocator, RuleCompiler.compile(rules), null);
                    RedactedBatch redacted = redaction.submit(batch).await()) {
                assertThat(redacted.hardRows()).isEqualTo(2);
                assertThat(redacted.changed(0)).isTrue();
            }
        }
    }

    /** Each takes tens of seconds to the end, and would keep a task that is cancelled so long. */
    @ParameterizedTest
    @CsvSource({
        "'\\bfoo.{0,500}bar', 'foo '",
        "'[0-9 ]{13,19}', '4111 1111 1111 1112 '",
        "'(?:a.){1,200}b', 'aa'"
    })
    @Timeout(30)
    void aRowThatTakesLongIsGivenUpWhenTheThreadIsInterrupted(String regex, String repeated)
            throws Exception {
        RuleSet rules =
                RuleSet.of(Rule.of("slow", regex, Action.label("X")).withValidator(Validator.LUHN));
        String row = repeated.repeat((24 << 20) / repeated.length());
        try (BufferAllocator allocator = new RootAllocator(256 << 20);
                BatchBuilder builder = new BatchBuilder(allocator, 1, row.length(), 0)) {
            builder.append(row);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            try (ColumnBatch batch = builder.build();
                    CpuRedaction redaction =
                            new CpuRedaction(allocator, RuleCompiler.compile(rules), null)) {
                Thread thread =
                        new Thread(
                                () -> {
                                    try {
                                        redaction.submit(batch).await().close();
                                    } catch (Throwable t) {
                                        thrown.set(t);
                                    }
                                });
                thread.start();
                Thread.sleep(300);
                thread.interrupt();
                thread.join(10_000);
                assertThat(thread.isAlive()).isFalse();
            }
            assertThat(thrown.get())
                    .isInstanceOf(CancellationException.class)
                    .hasMessage("the operator closed while a batch was worked on");
        }
    }
}
