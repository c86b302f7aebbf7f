package io.flinkgpu.applications;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.rules.RuleCheck;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.rules.RulePack;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * A report on the rules of a file: accepted or not, what each costs, and what to change. Exit codes: 0 all rules are
 * accepted, 1 some are not, 2 the caller's mistake.
 */
public final class CheckRules {

    private static final String NAME = "check-rules";
    private static final String USAGE =
            """
            Usage: examples/run check-rules FILE

            Checks each rule of a file alone: a rule file (.yaml, .yml, .tsv), a gitleaks configuration
            (.toml), or a pack of secrets-patterns-db or of Presidio recognizers (.yaml, .yml).
            Says which rules of a rule file are left out, as they are below its 'confidence'.
            Prints a line a rule: accepted or refused, states of its automaton, what looking for it costs
            on ordinary log lines, its name; under a refused one its place in a pack, why it is
            refused, and what to write instead; under one that is too large for an automaton of its
            own what that costs, and how to make it smaller.
            """;

    private static final String WIDER =
            "too large for an automaton of its own in a set of several: a wider one looks for it, and"
                    + " records where that matches cost some microseconds, on a GPU the host's; leave"
                    + " out \\b and lookaround behind a gap such as .{0,40}, or use smaller counts";

    private CheckRules() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            return report(file(args), out) ? 0 : 1;
        } catch (UsageException e) {
            return e.print(NAME, out, err);
        } catch (RuleException e) {
            e.errors().forEach(err::println);
            return 2;
        }
    }

    private static Path file(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        List<String> files = new ArrayList<>();
        while (arguments.hasNext()) {
            String name = arguments.next();
            if (name.startsWith("-")) {
                arguments.unknown(name, "");
            } else {
                files.add(name);
            }
        }
        arguments.check();
        if (files.size() != 1) {
            throw new UsageException(
                    "one rule file is needed: files=" + files.size() + "; see --help");
        }
        return Path.of(files.get(0));
    }

    private static boolean report(Path file, PrintStream out) {
        List<Rule> rules;
        UnaryOperator<String> place = rule -> "";
        if (RulePack.isPack(file)) {
            RulePack pack = RulePack.read(file);
            pack.notes().forEach(note -> out.println("note: " + note));
            rules = pack.rules();
            place = rule -> pack.place(rule) + ": ";
        } else {
            rules = RuleFiles.read(file).rules();
            RuleFiles.leftOut(file)
                    .forEach(
                            name ->
                                    out.println(
                                            "left out, below the file's 'confidence': " + name));
        }
        List<RuleCheck> checks = RuleCheck.of(rules);
        for (RuleCheck check : checks) {
            String where = "    " + place.apply(check.rule());
            out.printf(
                    Locale.ROOT,
                    "%-8s %6d states  cost %-6s  %s%n",
                    check.accepted() ? "accepted" : "refused",
                    check.states(),
                    check.cost().name().toLowerCase(Locale.ROOT),
                    check.rule());
            check.problems().forEach(problem -> out.println(where + problem));
            if (check.wider()) {
                out.println(where + WIDER);
            }
        }
        long accepted = checks.stream().filter(RuleCheck::accepted).count();
        out.printf(Locale.ROOT, "%d of %d rules are accepted%n", accepted, checks.size());
        return accepted == checks.size();
    }
}
