package io.flinkgpu.applications;

import org.apache.flink.api.common.functions.MapFunction;

/**
 * People by number: the same number gives the same person. Half of them are public; a few have a name
 * of one word.
 */
final class People implements MapFunction<Long, Person> {

    private static final long serialVersionUID = 1L;

    private static final String[] FIRST = {
        "Ada", "Björn", "Chloé", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Inês", "José",
        "Kofi", "Łukasz", "Mei", "Nadia", "Øyvind", "Priya", "Quentin", "Rosa", "Søren", "Tomoko"
    };
    private static final String[] LAST = {
        "Ångström", "Brown", "Černý", "Doe", "Édouard", "Fischer", "García", "Haddad", "Ivanova",
        "Jones", "Kowalski", "Lindqvist", "Müller", "Ng", "Okafor", "Park", "Rossi", "Şahin",
        "Tanaka", "Weiß"
    };
    private static final String[] HIDDEN = {"private", "friends", "nonpublic"};

    @Override
    public Person map(Long number) {
        long bits = SplitMix.mix(number);
        String first = pick(FIRST, bits & 0xffff);
        boolean oneWord = (bits >>> 16 & 0x3f) == 0;
        String name = oneWord ? first : first + " " + pick(LAST, bits >>> 22 & 0xffff);
        boolean isPublic = (bits >>> 38 & 1) == 0;
        return new Person(number, name, isPublic ? "public" : pick(HIDDEN, bits >>> 39 & 0xffff));
    }

    private static String pick(String[] from, long bits) {
        return from[(int) (bits % from.length)];
    }
}
