package io.flinkgpu.text.automaton;

import io.flinkgpu.text.regex.CodePointSet;
import io.flinkgpu.text.regex.Regex;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Texts of which every match of a rule holds one, and how far in front of it the match starts. Texts are of bytes
 * that are {@link #fold folded}, so that one stands for both cases of a letter. It may hold where no match is.
 *
 * @param texts ASCII, folded, of at least {@value #LEAST_BYTES} bytes
 * @param minLead the fewest bytes between the start of a match and a text
 * @param maxLead the most, {@link #UNBOUNDED} if there is no limit
 */
@Internal
public record Literals(Set<String> texts, int minLead, int maxLead) {

    /** No upper limit. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    static final int LEAST_BYTES = 3;

    /** What all bytes are or-ed with. */
    static final int FOLD = 0x20;

    private static final int MOST_BYTES = 24;
    private static final int MOST_EXACT = 32;
    private static final int MOST_TEXTS = 512;
    private static final int MOST_OF_SET = 8;

    /** Positions that a lead without limit is taken for. */
    private static final double FAR = 2_000;

    /** A byte with both cases of letters made the same, and some other bytes too. */
    static int fold(int byteValue) {
        return byteValue | FOLD;
    }

    /** The texts that are rarest; null if there are none that every match holds. */
    public static Literals of(Regex regex) {
        return Info.of(regex).candidate();
    }

    /** About how often texts occur at a position of a log, times the starts that each makes possible. */
    private double cost() {
        double occurrences = 0;
        for (String text : texts) {
            occurrences += share(text, 0, text.length());
        }
        return occurrences * (maxLead == UNBOUNDED ? FAR : 4 + maxLead - minLead);
    }

    /** About at which share of positions of a log a part of a text stands. */
    static double share(String text, int from, int to) {
        double share = 1;
        for (int i = from; i < Math.min(to, from + Long.BYTES); i++) {
            char c = text.charAt(i);
            if ("etaoinsr".indexOf(c) >= 0) {
                share *= 0.05;
            } else if (c >= 'a' && c <= 'z') {
                share *= "jqxzkvw".indexOf(c) >= 0 ? 0.006 : 0.02;
            } else if (c >= '0' && c <= '9') {
                share *= 0.03;
            } else {
                share *= c == ' ' || c == '-' || c == '.' ? 0.06 : 0.015;
            }
        }
        return share;
    }

    private static Literals rarer(Literals one, Literals other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.cost() < one.cost() ? other : one;
    }

    private static int plus(int one, int other) {
        return (int) Math.min(UNBOUNDED, (long) one + other);
    }

    private static int times(int count, int length) {
        return (int) Math.min(UNBOUNDED, (long) count * length);
    }

    /**
     * What is known of an expression.
     *
     * @param exact the folded texts that it matches, and no others; null if they are too many
     * @param best texts that each of its matches holds; null if none are known but the exact ones
     * @param min the fewest bytes of a match
     * @param max the most
     */
    private record Info(Set<String> exact, Literals best, int min, int max) {

        private static final Info EMPTY = new Info(Set.of(""), null, 0, 0);

        static Info of(Regex regex) {
            if (regex instanceof Regex.Chars chars) {
                return of(chars.set());
            }
            if (regex instanceof Regex.Group group) {
                return of(group.body());
            }
            if (regex instanceof Regex.Concat concat) {
                return new Sequence().of(concat);
            }
            if (regex instanceof Regex.Alternate alternate) {
                return of(alternate);
            }
            if (regex instanceof Regex.Repeat repeat) {
                return of(repeat);
            }
            return EMPTY;
        }

        private static Info of(CodePointSet set) {
            int last = set.ranges() - 1;
            boolean ascii = last < 0 || set.high(last) < 0x80;
            Set<String> texts = new TreeSet<>();
            for (int c = 0; ascii && c < 0x80 && texts.size() <= MOST_OF_SET; c++) {
                if (set.contains(c)) {
                    texts.add(String.valueOf((char) fold(c)));
                }
            }
            boolean few = ascii && !texts.isEmpty() && texts.size() <= MOST_OF_SET;
            return new Info(few ? texts : null, null, 1, ascii ? 1 : 4);
        }

        private static Info of(Regex.Alternate alternate) {
            Set<String> exact = new TreeSet<>();
            Set<String> texts = new TreeSet<>();
            int minLead = UNBOUNDED;
            int maxLead = 0;
            int min = UNBOUNDED;
            int max = 0;
            for (Regex option : alternate.options()) {
                Info info = of(option);
                min = Math.min(min, info.min);
                max = Math.max(max, info.max);
                if (exact != null && info.exact != null) {
                    exact.addAll(info.exact);
                } else {
                    exact = null;
                }
                Literals candidate = info.candidate();
                if (texts != null && candidate != null) {
                    texts.addAll(candidate.texts);
                    minLead = Math.min(minLead, candidate.minLead);
                    maxLead = Math.max(maxLead, candidate.maxLead);
                } else {
                    texts = null;
                }
            }
            exact = exact != null && exact.size() > MOST_EXACT ? null : exact;
            boolean known = texts != null && !texts.isEmpty() && texts.size() <= MOST_TEXTS;
            Literals best = known ? new Literals(texts, minLead, maxLead) : null;
            return new Info(exact, best, min, max);
        }

        private static Info of(Regex.Repeat repeat) {
            Info body = of(repeat.body());
            int min = times(repeat.min(), body.min);
            int max =
                    repeat.max() == Regex.Repeat.UNBOUNDED
                            ? UNBOUNDED
                            : times(repeat.max(), body.max);
            Set<String> exact = null;
            if (body.exact != null && repeat.max() <= MOST_BYTES) {
                exact = Set.of("");
                for (int i = 0; i < repeat.max() && exact != null; i++) {
                    Set<String> more = product(exact, body.exact);
                    if (more != null && i >= repeat.min()) {
                        more.addAll(exact);
                    }
                    exact = more != null && more.size() > MOST_EXACT ? null : more;
                }
            }
            return new Info(exact, repeat.min() == 0 ? null : body.candidate(), min, max);
        }

        /** Every text of one followed by every one of the other; null if they are too many. */
        static Set<String> product(Set<String> heads, Set<String> tails) {
            if ((long) heads.size() * tails.size() > MOST_EXACT) {
                return null;
            }
            Set<String> all = new TreeSet<>();
            for (String head : heads) {
                for (String tail : tails) {
                    if (head.length() + tail.length() > MOST_BYTES) {
                        return null;
                    }
                    all.add(head + tail);
                }
            }
            return all;
        }

        Literals candidate() {
            return rarer(best, candidate(exact, 0, 0));
        }

        static Literals candidate(Set<String> texts, int minLead, int maxLead) {
            boolean long3 =
                    texts != null
                            && !texts.isEmpty()
                            && texts.stream().allMatch(text -> text.length() >= LEAST_BYTES);
            return long3 ? new Literals(texts, minLead, maxLead) : null;
        }
    }

    /** Goes over the parts of a sequence, and joins what neighbours match exactly. */
    private static final class Sequence {

        private int min;
        private int max;
        private int runMin;
        private int runMax;
        private Set<String> run = Set.of("");
        private boolean isOneRun = true;
        private Literals best;

        Info of(Regex.Concat concat) {
            List<Info> parts = new ArrayList<>();
            concat.parts().forEach(part -> parts.add(Info.of(part)));
            for (Info part : parts) {
                add(part);
            }
            Set<String> exact = isOneRun ? run : null;
            endRun();
            return new Info(exact, best, min, max);
        }

        private void add(Info part) {
            Set<String> joined = part.exact == null ? null : Info.product(run, part.exact);
            if (joined != null) {
                run = joined;
            } else {
                endRun();
                isOneRun = false;
                if (part.best != null) {
                    Literals known = part.best;
                    best =
                            rarer(
                                    best,
                                    new Literals(
                                            known.texts,
                                            plus(min, known.minLead),
                                            plus(max, known.maxLead)));
                }
                boolean starts = part.exact != null;
                run = starts ? part.exact : Set.of("");
                runMin = starts ? min : plus(min, part.min);
                runMax = starts ? max : plus(max, part.max);
            }
            min = plus(min, part.min);
            max = plus(max, part.max);
        }

        private void endRun() {
            best = rarer(best, Info.candidate(run, runMin, runMax));
        }
    }
}
