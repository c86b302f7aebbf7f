package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The champion of the contest, version 7, beside the GPU backend: the same documents and queries, in a process
 * of its own. It pads sets with element 0 and counts what it pads with, so it gets all elements one larger:
 * then no set has 0, and its answers are those of the sets as they are. Of documents that are equally alike
 * at the 100th place it keeps any: so scores have to be equal, and documents above the last score.
 */
final class SearchChampion {

    private static final int K = 100;

    private final SearchLab lab;

    SearchChampion(SearchLab lab) {
        this.lab = lab;
    }

    void run() throws Exception {
        if (lab.options().champion() == null) {
            throw new IllegalArgumentException(
                    "the champion must be compiled: add --champion FOLDER, which"
                            + " set-search-champion.sh makes");
        }
        for (double skew : lab.options().skews()) {
            SetData data = lab.data(skew, lab.options().corpus());
            Path folder = Files.createTempDirectory(lab.options().folder(), "champion");
            try {
                run(folder, data, skew);
            } finally {
                SetFiles.delete(folder);
            }
        }
    }

    private void run(Path folder, SetData data, double skew) throws Exception {
        int count = lab.options().queriesFor(BackendChoice.CUDA);
        List<SetQuery> queries = SearchLab.queries(data, skew, count, K);
        Map<String, Long> at = SearchLab.at(SearchLab.at(data, skew), "queries", count);
        Path documents = folder.resolve("documents");
        Path inQueries = folder.resolve("queries");
        Path answers = folder.resolve("answers");
        SetFiles.writeDocuments(documents, data);
        SetFiles.writeQueries(inQueries, queries);
        Child child =
                Child.run(
                        "set_search_peer",
                        folder,
                        List.of(
                                program("set_search_peer"),
                                documents.toString(),
                                inQueries.toString(),
                                answers.toString(),
                                Integer.toString(lab.options().repeats() + 1)));
        lab.add("champion", "champion", at, "ms, copying documents", after(child, "run "));
        double[] steady = after(child, "==== topk: ");
        lab.add("champion", "champion", at, "ms", steady);
        Files.delete(documents);
        beside(data, skew, queries, at, answers, steady);
        if (lab.options().text()) {
            wholeProgram(folder, data, queries, at);
        }
    }

    private String program(String name) {
        return lab.options().champion().resolve(name).toAbsolutePath().toString();
    }

    /** Times that a program told, without the first one. */
    private static double[] after(Child child, String words) {
        double[] all =
                child.out()
                        .lines()
                        .filter(line -> line.startsWith(words))
                        .mapToDouble(
                                line ->
                                        Double.parseDouble(
                                                line.substring(words.length()).replace("ms", "")))
                        .toArray();
        return all.length > 1 ? Arrays.copyOfRange(all, 1, all.length) : all;
    }

    private void beside(
            SetData data,
            double skew,
            List<SetQuery> queries,
            Map<String, Long> at,
            Path answers,
            double[] theirs)
            throws Exception {
        BackendChoice backend =
                lab.backends().contains(BackendChoice.CUDA)
                        ? BackendChoice.CUDA
                        : BackendChoice.CPU;
        try (SearchRig rig = SearchRig.open(backend, data.documents())) {
            rig.load(data, 0, 1);
            try (ColumnBatch batch = rig.queries(queries)) {
                double[] ours =
                        SearchSpeed.times(rig, batch, lab.options().repeats()).stream()
                                .mapToDouble(SearchRig.Times::whole)
                                .toArray();
                lab.add("champion", SearchLab.engine(backend), at, "ms", ours);
                double[] sorted = ours.clone();
                Arrays.sort(sorted);
                lab.add(
                        "champion",
                        SearchLab.engine(backend),
                        at,
                        "times as fast",
                        Arrays.stream(theirs).map(it -> it / sorted[sorted.length / 2]).toArray());
                try (SearchedBatch found = rig.search(batch)) {
                    lab.say(
                            String.format(
                                    Locale.ROOT,
                                    "skew %s, champion: %s",
                                    skew,
                                    compared(data, queries, found, Files.readAllLines(answers))));
                }
            }
        }
    }

    /** Says how answers compare. */
    private static String compared(
            SetData data, List<SetQuery> queries, SearchedBatch found, List<String> answers) {
        if (answers.size() != queries.size()) {
            throw new IllegalStateException(
                    "the champion answers each query: queries="
                            + queries.size()
                            + ", answers="
                            + answers.size());
        }
        SetData.Room room = new SetData.Room();
        int equal = 0;
        List<Integer> different = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            SetMatches ours = found.matches(i, Similarity.MAX, queries.get(i).elements().length);
            long[] theirs =
                    Arrays.stream(answers.get(i).split(" ")).mapToLong(Long::parseLong).toArray();
            if (agree(data, queries.get(i), ours, theirs, room)) {
                equal++;
            } else {
                different.add(i);
            }
        }
        return "equal answers="
                + equal
                + ", different="
                + different.size()
                + (different.isEmpty() ? "" : ", the first of query " + different.get(0));
    }

    private static boolean agree(
            SetData data, SetQuery query, SetMatches ours, long[] theirs, SetData.Room room) {
        Set<Integer> elements = new HashSet<>();
        for (int element : query.elements()) {
            elements.add(element);
        }
        long last = ours.count() < K ? 0 : key(ours, K - 1);
        for (int i = 0; i < theirs.length; i++) {
            int[] document =
                    theirs[i] < data.documents() ? new int[data.length(theirs[i])] : new int[0];
            if (theirs[i] < data.documents()) {
                data.document(theirs[i], room, document);
            }
            int common = (int) Arrays.stream(document).filter(elements::contains).count();
            long key = SearchAnswers.key(common, elements.size(), document.length);
            long wanted = i < ours.count() ? key(ours, i) : 0;
            if (key != wanted || key > last && theirs[i] != ours.id(i)) {
                return false;
            }
        }
        return theirs.length == K;
    }

    private static long key(SetMatches matches, int index) {
        return SearchAnswers.key(matches.common(index), matches.querySize(), matches.size(index));
    }

    /** The champion's own program on text files, whole. */
    private void wholeProgram(
            Path folder, SetData data, List<SetQuery> queries, Map<String, Long> at)
            throws IOException, InterruptedException {
        Path documents = folder.resolve("docs.txt");
        Path inQueries = Files.createDirectory(folder.resolve("querys"));
        SetFiles.writeTextDocuments(documents, data);
        SetFiles.writeTextQueries(inQueries, queries);
        Child child =
                Child.run(
                        "query_doc_scoring",
                        folder,
                        List.of(
                                program("query_doc_scoring"),
                                documents.toString(),
                                inQueries.toString(),
                                folder.resolve("result.txt").toString()));
        lab.add("champion", "champion", at, "s, whole program on text", child.seconds());
        child.out()
                .lines()
                .filter(line -> line.contains(" cost "))
                .forEach(line -> lab.say("query_doc_scoring: " + line));
    }
}
