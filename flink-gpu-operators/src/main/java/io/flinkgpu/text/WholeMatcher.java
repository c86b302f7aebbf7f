package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.DfaBuilder;
import io.flinkgpu.text.automaton.NfaBuilder;
import io.flinkgpu.text.automaton.TooLargeException;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleErrors;
import io.flinkgpu.text.regex.RuleReader;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;
import java.util.Set;

/**
 * Whether a whole text matches a regular expression: an automaton that reads each byte once. Bytes that
 * are not valid UTF-8 match nothing. Immutable.
 *
 * <pre>{@code
 * state = startState()
 * for each byte: state = next(state, byte)     // DEAD is never left
 * return accepts(state)
 * }</pre>
 *
 * With the flat tables, the next state is {@code transitionTable[(state << strideShift()) +
 * classTable[byte]]}, and a state accepts if the entry of {@link #endClass()} in its row is not {@link
 * #DEAD}.
 */
@Internal
public final class WholeMatcher implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The state that no text leaves and that does not accept. */
    public static final int DEAD = Dfa.DEAD;

    private static final int SHOWN_REGEX_CHARS = 200;
    private static final Set<Regex.Look.Kind> DOLLARS =
            Set.of(Regex.Look.Kind.DOLLAR, Regex.Look.Kind.UNIX_DOLLAR, Regex.Look.Kind.LINE_END);

    private final String regex;
    private final Dfa dfa;

    private WholeMatcher(String regex, Dfa dfa) {
        this.regex = regex;
        this.dfa = dfa;
    }

    /**
     * Compiles an expression of the syntax that rules have; it may also match the empty text. It
     * matches what {@code java.util.regex.Matcher.matches()} does.
     *
     * @throws RuleException with every error: the offset, what is wrong, and what to write instead
     */
    public static WholeMatcher compile(String regex) {
        Regex parsed = RuleReader.read(regex, problem -> line(problem, regex));
        NfaBuilder builder = new NfaBuilder(false);
        try {
            builder.add(0, toTheEnd(parsed));
            Dfa dfa = RuleCompiler.dfa(builder.build(), DfaBuilder.MAX_WORK);
            return new WholeMatcher(regex, dfa);
        } catch (TooLargeException e) {
            throw new RuleException(
                    List.of(
                            line(
                                    "too large, it needs more than "
                                            + e.getMessage()
                                            + ": use smaller repeat counts and fewer wide classes"
                                            + " behind each other",
                                    regex)));
        }
    }

    private static String line(String problem, String regex) {
        return "A regex to match: "
                + problem
                + ". Regex: "
                + RuleErrors.oneLine(regex, SHOWN_REGEX_CHARS);
    }

    private static Regex toTheEnd(Regex regex) {
        Regex end = new Regex.Look(Regex.Look.Kind.END, "\\z", 0);
        return new Regex.Concat(List.of(withoutDollars(regex), end));
    }

    /** Nothing may follow a match, so that {@code $} is {@code \z}. */
    private static Regex withoutDollars(Regex regex) {
        if (regex instanceof Regex.Look look && DOLLARS.contains(look.kind())) {
            return new Regex.Look(Regex.Look.Kind.END, look.text(), look.index());
        }
        if (regex instanceof Regex.Group group) {
            return withoutDollars(group.body());
        }
        if (regex instanceof Regex.Repeat repeat) {
            return new Regex.Repeat(
                    withoutDollars(repeat.body()), repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(
                    alternate.options().stream().map(WholeMatcher::withoutDollars).toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(
                    concat.parts().stream().map(WholeMatcher::withoutDollars).toList());
        }
        return regex;
    }

    /** What it was compiled from. */
    public String regex() {
        return regex;
    }

    public int startState() {
        return dfa.startStateAfter(Dfa.NOTHING);
    }

    public int states() {
        return dfa.states();
    }

    /** The state after a byte (0 to 255). */
    public int next(int state, int byteValue) {
        return dfa.next(state, dfa.classOf(byteValue));
    }

    /** Whether a text that ends in this state matches. */
    public boolean accepts(int state) {
        return dfa.next(state, dfa.endClass()) != DEAD;
    }

    /** The class of each byte value, 256 bytes; not to be written to. */
    public byte[] classTable() {
        return dfa.classTable();
    }

    /** The next states, rows of {@code 1 << strideShift()}; not to be written to. */
    public char[] transitionTable() {
        return dfa.transitionTable();
    }

    public int strideShift() {
        return dfa.strideShift();
    }

    /** The class after the last byte: the column that says whether a state accepts. */
    public int endClass() {
        return dfa.endClass();
    }
}
