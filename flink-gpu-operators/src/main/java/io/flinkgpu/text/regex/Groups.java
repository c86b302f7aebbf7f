package io.flinkgpu.text.regex;

import java.util.ArrayList;
import java.util.List;

/** Keeps the groups of a regular expression that are asked for, and leaves out the others. */
final class Groups {

    /** Asks for the first group that takes part in a match and is not empty. */
    private static final String FIRST = "*";

    private final List<Regex.Group> all = new ArrayList<>();
    private List<Regex.Group> wanted = List.of();

    private Groups() {}

    /**
     * The same expression with one group, with several of which at most one takes part in a match, or with none.
     *
     * @param group its number or name; {@value #FIRST} for the first; empty for none
     */
    static Regex keepOnly(Regex regex, String group, RuleErrors errors) {
        Groups groups = new Groups();
        groups.collect(regex);
        if (!group.isEmpty()) {
            groups.wanted = group.equals(FIRST) ? first(regex) : groups.find(group);
            if (groups.wanted.isEmpty()) {
                errors.add(
                        "there is no group '%s', the regex has %d; give the number or name of one"
                                .formatted(RuleErrors.oneLine(group, 40), groups.all.size()));
            }
        }
        return groups.keep(regex);
    }

    private List<Regex.Group> find(String group) {
        String name = JavaForm.groupName(group);
        return all.stream()
                .filter(
                        known ->
                                group.equals(Integer.toString(known.number()))
                                        || name.equals(known.name()))
                .toList();
    }

    /**
     * Groups of which at most one takes part in a match, and is then the first that does. What follows a group that a
     * match may lack is not looked at.
     */
    private static List<Regex.Group> first(Regex regex) {
        if (regex instanceof Regex.Group group) {
            return List.of(group);
        }
        if (regex instanceof Regex.Repeat repeat) {
            List<Regex.Group> groups = first(repeat.body());
            // Of several, one may take part in one round, and another in the next.
            return repeat.max() <= 1 || groups.isEmpty() ? groups : groups.subList(0, 1);
        }
        if (regex instanceof Regex.Alternate alternate) {
            return alternate.options().stream().flatMap(option -> first(option).stream()).toList();
        }
        if (regex instanceof Regex.Concat concat) {
            return concat.parts().stream()
                    .map(Groups::first)
                    .filter(groups -> !groups.isEmpty())
                    .findFirst()
                    .orElse(List.of());
        }
        return List.of();
    }

    private void collect(Regex regex) {
        if (regex instanceof Regex.Group group) {
            all.add(group);
            collect(group.body());
        } else if (regex instanceof Regex.Repeat repeat) {
            collect(repeat.body());
        } else if (regex instanceof Regex.Alternate alternate) {
            alternate.options().forEach(this::collect);
        } else if (regex instanceof Regex.Concat concat) {
            concat.parts().forEach(this::collect);
        }
    }

    private Regex keep(Regex regex) {
        if (regex instanceof Regex.Group group) {
            Regex body = keep(group.body());
            boolean isWanted = wanted.stream().anyMatch(known -> known.number() == group.number());
            return isWanted ? new Regex.Group(group.number(), group.name(), body) : body;
        }
        if (regex instanceof Regex.Repeat repeat) {
            return new Regex.Repeat(
                    keep(repeat.body()), repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(alternate.options().stream().map(this::keep).toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(concat.parts().stream().map(this::keep).toList());
        }
        return regex;
    }
}
