package io.flinkgpu.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A regex as a tree: to write it, to make text that it may match, and to make it smaller. */
sealed interface RegexNode {

    /** Nothing; as an alternative or a sequence it is empty. */
    RegexNode EMPTY = new Seq(List.of());

    String regex();

    /** Whether it can match the empty string; assertions can. */
    boolean nullable();

    /** States of a straightforward automaton. */
    int size();

    /** Appends text that often matches. */
    void sample(StringBuilder out, Random random);

    /** Simpler trees to try in its place. */
    List<RegexNode> simpler();

    /** One character, class or escape; {@code samples} holds a few code points it may match. */
    record Atom(String regex, int[] samples) implements RegexNode {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            if (samples.length > 0) {
                out.appendCodePoint(samples[random.nextInt(samples.length)]);
            }
        }

        @Override
        public List<RegexNode> simpler() {
            return regex.equals("a") ? List.of() : List.of(new Atom("a", new int[] {'a'}));
        }
    }

    /** Characters quoted as a whole, as by {@code \Q..\E}. */
    record Quoted(String regex, String text) implements RegexNode {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int size() {
            return text.length();
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            out.append(text);
        }

        @Override
        public List<RegexNode> simpler() {
            return List.of(new Atom("a", new int[] {'a'}));
        }
    }

    /** A regex that is not taken apart, and texts it may match. */
    record Whole(String regex, List<String> samples) implements RegexNode {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int size() {
            return regex.length();
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            out.append(samples.get(random.nextInt(samples.size())));
        }

        @Override
        public List<RegexNode> simpler() {
            return List.of();
        }
    }

    /** Something of no width: an assertion or flags. */
    record Mark(String regex) implements RegexNode {
        @Override
        public boolean nullable() {
            return true;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            if (regex.equals("$") || regex.equals("\\Z")) {
                out.append(new String[] {"", "\n", "\r\n", "\r", "\u0085"}[random.nextInt(5)]);
            }
        }

        @Override
        public List<RegexNode> simpler() {
            return List.of(EMPTY);
        }
    }

    /** One part behind another. */
    record Seq(List<RegexNode> parts) implements RegexNode {
        @Override
        public String regex() {
            return parts.stream()
                    .map(p -> p instanceof Alt ? "(?:" + p.regex() + ")" : p.regex())
                    .collect(Collectors.joining());
        }

        @Override
        public boolean nullable() {
            return parts.stream().allMatch(RegexNode::nullable);
        }

        @Override
        public int size() {
            return parts.stream().mapToInt(RegexNode::size).sum();
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            parts.forEach(p -> p.sample(out, random));
        }

        @Override
        public List<RegexNode> simpler() {
            return simplerLists(parts, Seq::new);
        }
    }

    /** Alternatives. */
    record Alt(List<RegexNode> branches) implements RegexNode {
        @Override
        public String regex() {
            return branches.stream().map(RegexNode::regex).collect(Collectors.joining("|"));
        }

        @Override
        public boolean nullable() {
            return branches.stream().anyMatch(RegexNode::nullable);
        }

        @Override
        public int size() {
            return branches.stream().mapToInt(b -> b.size() + 1).sum();
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            branches.get(random.nextInt(branches.size())).sample(out, random);
        }

        @Override
        public List<RegexNode> simpler() {
            return simplerLists(branches, Alt::new);
        }
    }

    /** A group; {@code open} is {@code "("}, {@code "(?:"}, {@code "(?i:"}... */
    record Group(String open, RegexNode body) implements RegexNode {
        @Override
        public String regex() {
            return open + body.regex() + ")";
        }

        @Override
        public boolean nullable() {
            return body.nullable();
        }

        @Override
        public int size() {
            return body.size();
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            body.sample(out, random);
        }

        @Override
        public List<RegexNode> simpler() {
            List<RegexNode> simpler = new ArrayList<>(List.of(body));
            body.simpler().forEach(b -> simpler.add(new Group(open, b)));
            return simpler;
        }
    }

    /** A repeat; {@code quantifier} is what is written, and {@code least} and {@code most} its bounds. */
    record Repeat(RegexNode body, String quantifier, int least, int most) implements RegexNode {
        @Override
        public String regex() {
            boolean bare = body instanceof Atom || body instanceof Group;
            return (bare ? body.regex() : "(?:" + body.regex() + ")") + quantifier;
        }

        @Override
        public boolean nullable() {
            return least == 0 || body.nullable();
        }

        @Override
        public int size() {
            return (body.size() + 1) * Math.max(1, Math.min(most, least + 20));
        }

        @Override
        public void sample(StringBuilder out, Random random) {
            int times = least + random.nextInt(Math.min(most - least, 4) + 1);
            for (int i = 0; i < times; i++) {
                body.sample(out, random);
            }
        }

        @Override
        public List<RegexNode> simpler() {
            List<RegexNode> simpler = new ArrayList<>(List.of(body));
            if (!quantifier.equals("+") && !body.nullable()) {
                simpler.add(new Repeat(body, "+", 1, Integer.MAX_VALUE));
            }
            body.simpler().stream()
                    .filter(b -> !b.nullable() || most <= 1)
                    .forEach(b -> simpler.add(new Repeat(b, quantifier, least, most)));
            return simpler;
        }
    }

    private static List<RegexNode> simplerLists(
            List<RegexNode> parts, Function<List<RegexNode>, RegexNode> make) {
        List<RegexNode> simpler = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.size() > 1) {
                simpler.add(parts.get(i));
                List<RegexNode> without = new ArrayList<>(parts);
                without.remove(i);
                simpler.add(make.apply(without));
            }
            for (RegexNode part : parts.get(i).simpler()) {
                List<RegexNode> changed = new ArrayList<>(parts);
                changed.set(i, part);
                simpler.add(make.apply(changed));
            }
        }
        return simpler;
    }
}
