package io.flinkgpu.text;

import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.NfaBuilder;
import io.flinkgpu.text.automaton.TooLargeException;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleErrors;
import io.flinkgpu.text.regex.RuleReader;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Compiles the patterns of allow lists. */
@Internal
public final class AllowPatterns {

    private static final int SHOWN_REGEX_CHARS = 200;

    private AllowPatterns() {}

    /**
     * Checks the patterns of all rules.
     *
     * @throws RuleException with every error of every pattern
     */
    static void check(RuleSet rules) {
        List<String> errors = new ArrayList<>();
        Set<String> right = new HashSet<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            for (AllowList.Pattern pattern : rules.rule(rule).allowList().patterns()) {
                try {
                    if (!right.contains(pattern.regex())) {
                        matcher(pattern.regex(), line(rules, rule, pattern));
                        right.add(pattern.regex());
                    }
                } catch (RuleException e) {
                    errors.addAll(e.errors());
                }
            }
        }
        if (!errors.isEmpty()) {
            throw new RuleException(errors);
        }
    }

    /**
     * Matchers of a rule's patterns with a target.
     *
     * @param known those of other rules by their regex, to be used again and added to
     */
    static List<LinearMatcher> matchers(
            RuleSet rules, int rule, AllowList.Target target, Map<String, LinearMatcher> known) {
        List<LinearMatcher> matchers = new ArrayList<>();
        for (AllowList.Pattern pattern : rules.rule(rule).allowList().patterns()) {
            if (pattern.target() == target) {
                matchers.add(
                        known.computeIfAbsent(
                                pattern.regex(),
                                regex -> matcher(regex, line(rules, rule, pattern))));
            }
        }
        return matchers;
    }

    /**
     * Checks a pattern alone.
     *
     * @throws RuleException with every error
     */
    public static void check(String regex) {
        matcher(regex, problem -> problem + ". Regex: " + shown(regex));
    }

    private static LinearMatcher matcher(String regex, UnaryOperator<String> line) {
        Regex parsed = RuleReader.read(regex, line);
        if (parsed.nullable()) {
            throw new RuleException(
                    List.of(
                            line.apply(
                                    "it can match the empty string, and would keep every match; let"
                                            + " it match at least one character")));
        }
        NfaBuilder builder = new NfaBuilder(true);
        try {
            builder.add(0, parsed);
            return new LinearMatcher(builder.build());
        } catch (TooLargeException e) {
            throw new RuleException(
                    List.of(
                            line.apply(
                                    "too large, it needs more than "
                                            + e.getMessage()
                                            + RuleCompiler.SMALLER)));
        }
    }

    private static UnaryOperator<String> line(RuleSet rules, int rule, AllowList.Pattern pattern) {
        return problem ->
                RuleErrors.line(
                        rules,
                        rule,
                        "its allow list's pattern " + shown(pattern.regex()) + ": " + problem);
    }

    private static String shown(String regex) {
        return RuleErrors.oneLine(regex, SHOWN_REGEX_CHARS);
    }
}
