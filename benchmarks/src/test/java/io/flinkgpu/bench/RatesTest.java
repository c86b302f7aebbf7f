package io.flinkgpu.bench;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RatesTest {

    private static final List<String> LINES = List.of("a 1\n", "b 22\n", "c 333\n");

    private final List<CpuBackend> backends =
            List.of(
                    CpuBackend.open(TestRequests.of(1 << 24)),
                    CpuBackend.open(TestRequests.of(1 << 24)),
                    CpuBackend.open(TestRequests.of(1 << 24)));
    private final List<ColumnBatch> batches = new ArrayList<>();
    private final Programs<RedactedBatch> programs =
            RedactionWork.programs(
                    RuleCompiler.compile(
                            RuleSet.of(Rule.of("digits", "[0-9]+", Action.label("#")))));

    @AfterEach
    void close() {
        batches.forEach(ColumnBatch::close);
        programs.close();
        backends.forEach(CpuBackend::close);
    }

    private Rates<RedactedBatch> rates(int backend, List<String> lines) throws Exception {
        RedactionWork work =
                new RedactionWork(
                        lines.stream().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList());
        List<ColumnBatch> made = work.batches(backends.get(backend).allocator());
        batches.addAll(made);
        CompiledProgram<RedactedBatch> program = programs.on(List.of(backends.get(backend))).get(0);
        return new Rates<>(work, program, made);
    }

    @Test
    void everyBatchIsComparedWhenThereAreFewerOracles() throws Exception {
        List<Rates<RedactedBatch>> same = List.of(rates(1, LINES), rates(2, LINES));
        assertThatCode(() -> rates(0, LINES).check(same)).doesNotThrowAnyException();
        for (int other = 0; other < LINES.size(); other++) {
            List<String> lines = new ArrayList<>(LINES);
            lines.set(other, "d 1 2\n");
            assertThatThrownBy(() -> rates(0, lines).check(same))
                    .as("batch %s", other)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("differ");
        }
    }

    @Test
    void aProgramIsCompiledOnceForABackend() throws Exception {
        List<CompiledProgram<RedactedBatch>> first = programs.on(backends.subList(0, 2));
        List<CompiledProgram<RedactedBatch>> again = programs.on(backends);
        assertThat(again.subList(0, 2)).isEqualTo(first);
        assertThat(again).doesNotHaveDuplicates();
    }
}
