package io.flinkgpu.operator;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: StartLine.
 */
class StartLineTest {

    private static final CompiledRules RULES =
            RuleCompiler.compile(
                    RuleSet.of(
                            Rule.of("a", "abc", Action.label("[A]")),
                            Rule.of("b", "x+", Action.label("[B]"))));

    @Test
    void saysWhatRunsWhere() {
        assertThat(StartLine.of(new RedactPlan(RULES), Placement.ON_CPU, GpuOptions.DEFAULT))
                .isEqualTo(
                        "plan=\"Redaction\" backend=CPU device=\"cpu\" rules=2 states="
                                + RULES.states()
                                + " maxRows=65536 maxBytes=4194304 maxDelayMillis=20"
                                + " memoryLimitBytes=536870912");
    }

    @Test
    void namesTheGpu() {
        Placement gpu = new Placement(Placement.Kind.CUDA, 1, "NVIDIA H200", 2);
        assertThat(StartLine.of(new RedactPlan(RULES), gpu, GpuOptions.DEFAULT))
                .contains("backend=CUDA device=\"cuda:1 (NVIDIA H200)\" rules=2");
    }
}
