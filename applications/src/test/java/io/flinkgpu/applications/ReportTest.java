package io.flinkgpu.applications;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTest {

    @Test
    void namesReachTheTerminalWithoutControlCharacters() {
        RuleSet rules = RuleSet.of(Rule.of("a\nb\u001b[2J\u009b\u202ec", "x", Action.drop()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Report(new PrintStream(out, true, StandardCharsets.UTF_8))
                .matches(rules, new JobExecutionResult(new JobID(), 1, Map.of()));
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "",
                        "Matches per rule",
                        "  a b [2J  c              0",
                        "  total                   0");
    }
}
