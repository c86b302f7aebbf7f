package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.sql.operator.TextCheck;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import org.apache.flink.table.planner.functions.sql.FlinkSqlOperatorTable;

import org.apache.calcite.rex.RexCall;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/**
 * Nested calls of REGEXP_REPLACE as redactions. Rules that can be tried at once are one scan of the text; where more
 * than one scan is left, a text in which no rule finds anything is spared them.
 */
final class RegexReplacement {

    /** Hardly any rule matches it alone. */
    private static final char MARK = 1;

    /** As few scans are not worth to be asked for. */
    private static final int LEAST_GROUP = 4;

    /** Each group repeats the expression before it. */
    private static final int MAX_GROUPS = 4;

    private RegexReplacement() {}

    /** The calls from the innermost on that can be replaced with the outermost one. */
    static TextExpression of(RexTranslator t, RexCall outermost) throws UnsupportedException {
        List<Replacement> replacements = new ArrayList<>();
        replacements.add(replacement(t, outermost));
        RexCall call = outermost;
        while (call.getOperands().get(0) instanceof RexCall inner
                && inner.getOperator() == FlinkSqlOperatorTable.REGEXP_REPLACE) {
            try {
                replacements.add(0, replacement(t, inner));
            } catch (UnsupportedException e) {
                break;
            }
            call = inner;
        }
        return replaced(t, t.text(call, 0), replacements);
    }

    /** Whether a text has a match of a regular expression. */
    static Condition finds(RexTranslator t, TextExpression text, String regex)
            throws UnsupportedException {
        Replacement searched = parsed(regex, "X");
        TextExpression checked =
                RegexText.looksAtWords(searched.parsed) ? t.checked(text, TextCheck.ASCII) : text;
        return finds(checked, sets(List.of(searched)));
    }

    /** A regular expression and what takes the place of its matches. */
    private record Replacement(String regex, Regex parsed, String label) {}

    private static Replacement replacement(RexTranslator t, RexCall call)
            throws UnsupportedException {
        return parsed(t.constant(call, 1), t.constant(call, 2));
    }

    private static Replacement parsed(String regex, String label) throws UnsupportedException {
        RuleSet rules = RuleSet.of(rule(1, regex, Action.drop())).allowUnmatchable();
        try {
            RuleCompiler.compile(rules);
            return new Replacement(regex, RuleReader.read(rules).get(0), label);
        } catch (RuleException e) {
            String reason = e.errors().get(0);
            // Without the rule, whose name nobody gave.
            throw new UnsupportedException(reason.substring(reason.indexOf("': ") + 3));
        }
    }

    private static TextExpression replaced(
            RexTranslator t, TextExpression text, List<Replacement> replacements)
            throws UnsupportedException {
        boolean ascii = true;
        TextExpression checked = text;
        for (Replacement replacement : replacements) {
            if (RegexText.looksAtWords(replacement.parsed)) {
                if (!ascii) {
                    throw new UnsupportedException("a constant has other characters than ASCII");
                }
                checked = t.checked(text, TextCheck.ASCII);
            }
            ascii &= replacement.label.chars().allMatch(c -> c < 0x80);
        }
        List<RuleSet> sets = sets(replacements);
        if (sets.size() == 1) {
            return scanned(checked, sets);
        }
        try {
            return replaced(checked, sets);
        } catch (IllegalArgumentException tooLarge) {
            // The text is in it many times over.
            return scanned(checked, sets);
        }
    }

    /**
     * Scans one after another. Whether any rule finds something is asked before all of them, and before each of some
     * groups of them, so that a text with matches of few rules is spared most scans: it is null meanwhile.
     */
    private static TextExpression replaced(TextExpression text, List<RuleSet> sets) {
        int size = Math.max(LEAST_GROUP, (sets.size() + MAX_GROUPS - 1) / MAX_GROUPS);
        TextExpression found = whereFound(text, sets);
        TextExpression result = found;
        if (sets.size() <= size) {
            result = scanned(result, sets);
        } else {
            for (int from = 0; from < sets.size(); from += size) {
                List<RuleSet> group = sets.subList(from, Math.min(sets.size(), from + size));
                result = coalesce(scanned(whereFound(result, group), group), result);
            }
        }
        return coalesce(result, text);
    }

    private static TextExpression whereFound(TextExpression text, List<RuleSet> sets) {
        return when(finds(text, sets)).then(text).otherwise(lit((String) null));
    }

    private static TextExpression scanned(TextExpression text, List<RuleSet> sets) {
        TextExpression result = text;
        for (RuleSet set : sets) {
            result = result.redact(set);
        }
        return result;
    }

    /** What replaces by rules one after another, as few rule sets one after another. */
    static List<RuleSet> sets(List<String> regexes, List<String> labels)
            throws UnsupportedException {
        List<Replacement> replacements = new ArrayList<>();
        for (int i = 0; i < regexes.size(); i++) {
            replacements.add(parsed(regexes.get(i), labels.get(i)));
        }
        return sets(replacements);
    }

    private static List<RuleSet> sets(List<Replacement> replacements) {
        List<RuleSet> sets = new ArrayList<>();
        for (List<Integer> scan : scans(replacements)) {
            List<Rule> rules = new ArrayList<>();
            for (int index : scan) {
                Replacement it = replacements.get(index);
                rules.add(rule(index + 1, it.regex, new Action.Label(it.label)));
            }
            sets.add(RuleSet.of(rules).allowUnmatchable());
        }
        return sets;
    }

    /**
     * Whether any rule finds something: then the text is another one where all matches are replaced by a character
     * that is none of them, or, as that takes more scans, by nothing.
     */
    private static Condition finds(TextExpression text, List<RuleSet> sets) {
        boolean canMark =
                sets.stream()
                        .flatMap(set -> RuleReader.read(set).stream())
                        .noneMatch(
                                regex -> regex.minLength() <= 1 && RegexText.canRead(regex, MARK));
        Action action = canMark ? new Action.Label(Character.toString(MARK)) : Action.drop();
        List<Rule> rules = new ArrayList<>();
        for (RuleSet set : sets) {
            for (Rule rule : set.rules()) {
                rules.add(rule(rules.size() + 1, rule.regex(), action));
            }
        }
        return text.redact(RuleSet.of(rules).allowUnmatchable()).equalTo(text).not();
    }

    /**
     * Rules, by index, scan by scan. A rule is tried in the first scan that it can be in as the last rule, if its order
     * does not matter to the scans after that one.
     */
    private static List<List<Integer>> scans(List<Replacement> replacements) {
        List<Apartness.Replacing> rules = new ArrayList<>();
        Alphabet alphabet = new Alphabet(replacements.stream().map(Replacement::parsed).toList());
        for (Replacement it : replacements) {
            RuleAutomaton automaton = null;
            if (replacements.size() > 1) {
                try {
                    automaton = new RuleAutomaton(it.parsed, alphabet);
                } catch (RuleAutomaton.TooLargeException e) {
                    // It is a scan of its own.
                }
            }
            int[] text = it.label.codePoints().map(alphabet::of).toArray();
            rules.add(automaton == null ? null : new Apartness.Replacing(automaton, text));
        }
        Apartness apartness = new Apartness(alphabet);
        List<List<Integer>> scans = new ArrayList<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            Apartness.Replacing later = rules.get(rule);
            List<Integer> chosen = null;
            for (int i = scans.size() - 1; i >= 0; i--) {
                List<Integer> scan = scans.get(i);
                if (scan.size() < RuleSet.MAX_RULES
                        && all(scan, rules, later, apartness::isApart)) {
                    chosen = scan;
                }
                if (!all(scan, rules, later, apartness::commute)) {
                    break;
                }
            }
            if (chosen == null) {
                chosen = new ArrayList<>();
                scans.add(chosen);
            }
            chosen.add(rule);
        }
        return scans;
    }

    private static boolean all(
            List<Integer> scan,
            List<Apartness.Replacing> rules,
            Apartness.Replacing later,
            BiPredicate<Apartness.Replacing, Apartness.Replacing> test) {
        return later != null
                && scan.stream()
                        .map(rules::get)
                        .allMatch(earlier -> earlier != null && test.test(earlier, later));
    }

    private static Rule rule(int number, String regex, Action action) {
        return Rule.of("REGEXP_REPLACE " + number, regex, action);
    }
}
