package io.flinkgpu.backend;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Engines.
 */
class EnginesTest {

    private static final RedactPlan PLAN =
            new RedactPlan(RuleCompiler.compile(RuleSet.of(Rule.of("a", "a", Action.label("b")))));

    @Test
    void aPlanWithoutAnEngineIsRefusedAndTheErrorNamesIt() {
        Engines engines = Engines.of(LinePlan.class, plan -> EnginesTest.<LineGroups>none());
        assertThatThrownBy(() -> engines.compile(PLAN, Placement.ON_CPU))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "the backend has no engine for this kind of plan: plan=RedactPlan,"
                                + " backend=cpu; add one to the backend's list of engines");
    }

    @Test
    void theLastEngineForAPlanCompilesIt() throws BackendException {
        CompiledProgram<RedactedBatch> first = none();
        CompiledProgram<RedactedBatch> second = none();
        Engines one = Engines.of(RedactPlan.class, plan -> first);
        Engines other = one.and(RedactPlan.class, plan -> second);
        assertThat(one.compile(PLAN, Placement.ON_CPU)).isSameAs(first);
        assertThat(other.compile(PLAN, Placement.ON_CPU)).isSameAs(second);
    }

    @Test
    void placementsAndRequestsInWords() {
        assertThat(Placement.ON_CPU).hasToString("cpu");
        assertThat(new Placement(Placement.Kind.CUDA, 1, "NVIDIA H200", 4))
                .hasToString("cuda:1 (NVIDIA H200)");
        assertThat(TestRequests.of(7))
                .hasToString("memoryLimitBytes=7, deviceSlot=0, subtasks=1, devices=0");
    }

    private static <R extends AutoCloseable> CompiledProgram<R> none() {
        return new CompiledProgram<>() {
            @Override
            public Submission<R> submit(ColumnBatch batch) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }
}
