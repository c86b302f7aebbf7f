package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.automaton.Dfa;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Rivals, CompiledRules.
 */
class RivalsTest {

    private static final Rule CARD =
            Rule.of("card", "\\b\\d{12,16}\\b", Action.label("C")).withValidator(Validator.LUHN);

    @Test
    void areTheLaterRulesThatCanMatchAtTheSameStart() {
        CompiledRules rules =
                RuleCompiler.compile(
                        RuleSet.of(
                                Rule.of("before", "\\d+", Action.drop()),
                                CARD,
                                Rule.of("letter", "[a-z]+", Action.drop()),
                                Rule.of("longer", "\\d{4}(?:-\\d{4}){3}", Action.drop()),
                                Rule.of("shorter", "4\\b|4\\d", Action.drop()),
                                Rule.of("inside", "\\B\\d", Action.drop()),
                                Rule.of("start", "^\\d|[a-f]", Action.drop())));

        assertThat(rulesOf(rules, 1)).containsExactly(4, 6);
        assertThat(rules.rivals().of(0)).isEqualTo(Rivals.NONE);
        assertThat(rules.rivals().of(2)).isEqualTo(Rivals.NONE);
    }

    @Test
    void rulesWithTheSameRivalsShareAnAutomaton() {
        AllowList allowed = AllowList.ofValues("aa");
        CompiledRules rules =
                RuleCompiler.compile(
                        RuleSet.of(
                                Rule.of("one", "a+", Action.drop()).withAllowList(allowed),
                                Rule.of("two", "b+", Action.drop()).withAllowList(allowed),
                                Rule.of("any", "\\w", Action.drop())));

        assertThat(rules.rivals().of(0)).isEqualTo(rules.rivals().of(1)).isNotNegative();
        assertThat(rules.rivals().automata()).hasSize(1);
    }

    @Test
    void aRuleThatAnEarlierOneHidesMayMatchWhereThatIsRefused() {
        Rule same = Rule.of("same", "\\b\\d{12,16}\\b", Action.drop());
        Rule later = Rule.of("later", "\\b\\d{12,16}\\b", Action.drop());

        assertThat(RuleCompiler.compile(RuleSet.of(CARD, same)).warnings()).isEmpty();
        assertThat(RuleCompiler.compile(RuleSet.of(CARD, same, later)).warnings())
                .singleElement()
                .asString()
                .contains("later");
    }

    @Test
    void withoutAnAutomatonTheAnswersAreTheSame() throws Exception {
        CompiledRules rules =
                RuleCompiler.compile(
                        RuleSet.of(
                                CARD,
                                Rule.of("id", "\\b4\\d+", Action.label("<id>"))
                                        .withAllowList(AllowList.ofPrefixes("42", "411")),
                                Rule.of("last", "\\d{4}", Action.label("<last>"))));
        int[] unknown = new int[rules.ruleSet().size()];
        Arrays.fill(unknown, Rivals.UNKNOWN);
        CompiledRules without =
                new CompiledRules(
                        rules.ruleSet(),
                        List.of(
                                new RulePart(
                                        rules.whole().rules(),
                                        rules.nfa(),
                                        rules.dfa(),
                                        rules.prefilter(),
                                        new Rivals(unknown, List.of()),
                                        false)),
                        null,
                        rules.warnings());
        String row = "x 4111111111111111 411111111111111 4999 4222 42 4111111111111111";

        assertThat(redact(rules, row)).isEqualTo("x C <last><last><last>111 <id> <last> 42 C");
        assertThat(redact(without, row)).isEqualTo(redact(rules, row));
    }

    @Test
    void areUnknownWhereTheirAutomatonIsTooLarge() {
        Dfa digits = alone("\\d+");
        Rivals none =
                new RivalsBuilder(3, rules -> rules.cardinality() > 1 ? null : digits)
                        .build(rule -> rule == 0);
        assertThat(none.of(0)).isEqualTo(Rivals.UNKNOWN);
        assertThat(none.automata()).isEmpty();

        Dfa large = alone("a{900}b|c{900}d|e{900}f|g{900}h");
        long bytes = (long) Character.BYTES * large.transitionTable().length;
        int fit = (int) ((4L << 20) / bytes);
        int rules = fit + 3;
        Rivals some = new RivalsBuilder(rules, set -> large).build(rule -> true);
        assertThat(rules).isLessThan(RuleSet.MAX_RULES);
        assertThat(some.of(fit - 1)).isEqualTo(fit - 1);
        assertThat(some.of(fit)).isEqualTo(Rivals.UNKNOWN);
        assertThat(some.of(rules - 1)).isEqualTo(Rivals.NONE);
    }

    @Test
    void areCompiledOnceEachWhetherTheirAutomatonIsTooLargeOrNot() {
        Dfa digits = alone("\\d+");
        int rules = 20;
        List<BitSet> compiled = new ArrayList<>();
        Rivals rivals =
                new RivalsBuilder(
                                rules,
                                set -> {
                                    compiled.add((BitSet) set.clone());
                                    return set.get(0) || set.get(7) ? null : digits;
                                })
                        .build(rule -> true);

        assertThat(compiled).doesNotHaveDuplicates().hasSizeBetween(rules, 2 * rules);
        assertThat(rivals.of(6)).isEqualTo(Rivals.UNKNOWN);
        assertThat(rivals.of(7)).isNotNegative();
    }

    private static Dfa alone(String regex) {
        return RuleCompiler.compile(RuleSet.of(Rule.of("r", regex, Action.drop()))).dfa();
    }

    private static List<Integer> rulesOf(CompiledRules rules, int rule) {
        Dfa dfa = rules.rivals().automata().get(rules.rivals().of(rule));
        BitSet found = new BitSet();
        for (int state = 1; state < dfa.matchLimit(); state++) {
            found.set(dfa.rule(state));
        }
        return found.stream().boxed().toList();
    }

    private static String redact(CompiledRules rules, String row) throws Exception {
        byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
        try (Backend backend = CpuBackend.open(TestRequests.of(16L << 20));
                CompiledProgram<RedactedBatch> program = backend.compile(new RedactPlan(rules));
                BatchBuilder builder = new BatchBuilder(backend.allocator(), 1, 1 << 16, 0)) {
            builder.append(bytes, 0, bytes.length);
            try (ColumnBatch batch = builder.build();
                    RedactedBatch result = program.submit(batch).await()) {
                return new String(result.text().copyRow(0), StandardCharsets.UTF_8);
            }
        }
    }
}
