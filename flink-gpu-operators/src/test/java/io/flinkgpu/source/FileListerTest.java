package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Which files are found, and in which order.
 *
 * <p>Covers: FileLister, Globs.
 */
class FileListerTest {

    @TempDir private java.nio.file.Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        for (String name :
                List.of(
                        "b.log",
                        "a.log",
                        "a.txt",
                        "_hidden.log",
                        ".hidden.log",
                        "c/z.log",
                        "c/y.log.gz",
                        "c/d/x.log",
                        "_c/v.log",
                        "w[1].log",
                        "w1.log",
                        "w{2,3}.log",
                        "w2.log")) {
            java.nio.file.Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "12345");
        }
        Files.createFile(directory.resolve("empty.log"));
    }

    @Test
    void listsInputsAsGivenAndDirectoriesByPath() throws IOException {
        assertThat(names(FileInput.of(path("c")), FileInput.of(path("b.log"))))
                .containsExactly("c/d/x.log", "c/y.log.gz", "c/z.log", "b.log");
    }

    @Test
    void listsAFileOnce() throws IOException {
        assertThat(
                        names(
                                FileInput.of(path("c/z.log")),
                                FileInput.of(path("c")),
                                FileInput.ofGlob(directory + "/c/*.log")))
                .containsExactly("c/z.log", "c/d/x.log", "c/y.log.gz");
    }

    /** Left out without a word, a file that was named would be missing in the results. */
    @Test
    void readsHiddenFilesThatAreNamed() throws IOException {
        assertThat(names(FileInput.of(path("_hidden.log")), FileInput.of(path("_c"))))
                .containsExactly("_hidden.log", "_c/v.log");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.log            | a.log b.log w1.log w2.log w[1].log w{2,3}.log",
                "?.log            | a.log b.log",
                "**/*.log         | a.log b.log c/d/x.log c/z.log w1.log w2.log w[1].log w{2,3}.log",
                "**               | a.log a.txt b.log c/d/x.log c/y.log.gz c/z.log w1.log w2.log"
                        + " w[1].log w{2,3}.log",
                "c/**             | c/d/x.log c/y.log.gz c/z.log",
                "c/**/x.log       | c/d/x.log",
                "**/d/*           | c/d/x.log",
                "*/*.log          | c/z.log",
                "[ab].log         | a.log b.log",
                "[!a].log         | b.log",
                "[a-c].*          | a.log a.txt b.log",
                "{a,c/z}.log      | a.log c/z.log",
                "a.{txt,log}      | a.log a.txt",
                "w[[]1].log       | w[1].log",
                "w\\[1\\].log     | w[1].log",
                "w\\{2,3\\}.log   | w{2,3}.log",
                "w[12].log        | w1.log w2.log",
                "a**.log          | a.log",
                "c                | c/d/x.log c/y.log.gz c/z.log",
                "b.log            | b.log",
            })
    void findsByGlob(String glob, String expected) throws IOException {
        FileLister lister =
                FileLister.of(List.of(FileInput.ofGlob(directory + "/" + glob))).emptyIsFine(true);
        assertThat(String.join(" ", names(lister))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*.log", "c/*"})
    void findsByGlobOnOtherFileSystems(String glob) throws IOException {
        String other = OtherFileSystem.path(directory) + "/" + glob;
        assertThat(names(FileInput.ofGlob(other)))
                .isNotEmpty()
                .isEqualTo(names(FileInput.ofGlob(directory + "/" + glob)));
    }

    @Test
    void doesNotLookDeeperThanAGlobReaches() throws IOException {
        assertThat(FileInput.ofGlob("/x/*.log").maxDepth()).isEqualTo(1);
        assertThat(FileInput.ofGlob("/x/a*/{b/c,d}/*.log").maxDepth()).isEqualTo(4);
        assertThat(FileInput.ofGlob("/x/**/*.log").maxDepth()).isEqualTo(Integer.MAX_VALUE);
        assertThat(FileInput.ofGlob("/*.log").base()).isEqualTo(new Path("/"));
        assertThat(FileInput.ofGlob("*.log").base()).isEqualTo(new Path("."));
        assertThat(FileInput.ofGlob("s3://b/x/?.log").base()).isEqualTo(new Path("s3://b/x"));
    }

    @Test
    void saysWhatFlinkCannotList() throws IOException {
        Files.writeString(directory.resolve("c/12:30.log"), "12345");
        assertThatThrownBy(() -> names(FileInput.of(path("c"))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot list directory ")
                .hasMessageContaining("names with a ':' in them")
                .hasMessageContaining("12:30.log")
                .hasMessageEndingWith("; rename that file, or name all files");
        Path named = new Path(directory.resolve("c/12:30.log").toUri());
        assertThat(FileLister.of(List.of(FileInput.of(named))).enumerateSplits(null, 1)).hasSize(1);
    }

    /** Flink's paths would make another file's name of it, or none, and its lines would be missing. */
    @ParameterizedTest
    @ValueSource(strings = {"d\\x.log", "gone\\x.log", "d\\", "\\x.log", ".hidden\\x.log"})
    void refusesNamesWithABackslash(String name) throws IOException {
        Files.writeString(directory.resolve("c").resolve(name), "54321");
        String problem = ", as Flink takes a '\\' in a name for a '/': name='";
        for (FileInput input :
                List.of(FileInput.of(path("c")), FileInput.ofGlob(directory + "/**/?.log"))) {
            assertThatThrownBy(() -> names(input))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(
                            "cannot list directory (file:)?\\Q"
                                    + directory
                                    + "/c"
                                    + problem
                                    + name
                                    + "'; rename it\\E");
        }
        assertThatThrownBy(() -> names(FileInput.of(path("c/" + name))))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "cannot read an input"
                                + problem
                                + directory
                                + "/c/"
                                + name
                                + "'; rename it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/**/*.log"})
    void whatGoesAwayWhileItIsListedFailsTheListing(String glob) throws IOException {
        Files.createSymbolicLink(directory.resolve("c/gone.log"), directory.resolve("nowhere"));
        FileLister lister = FileLister.of(List.of(FileInput.ofGlob(directory + glob)));
        assertThatThrownBy(() -> names(lister.followsLinks(true)))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("gone.log");
        assertThat(names(lister)).contains("c/z.log").doesNotContain("c/gone.log");
    }

    @Test
    void leavesLinksOut() throws IOException {
        linksOutOf(directory.resolve("c"));
        assertThat(names(FileInput.of(path("c"))))
                .containsExactly("c/d/x.log", "c/y.log.gz", "c/z.log");
        assertThat(names(FileInput.ofGlob(directory + "/c/**/*.log")))
                .containsExactly("c/d/x.log", "c/z.log");
    }

    /** Others' files would be read with this user's rights, and be in the output. */
    @Test
    void followsNoLinkOutOfTheFolder() throws IOException {
        linksOutOf(directory.resolve("c"));
        assertThat(names(FileLister.of(List.of(FileInput.of(path("c")))).followsLinks(true)))
                .containsExactly("c/d/x.log", "c/y.log.gz", "c/z.log");
    }

    /** Flink's own listing has it 40 times, one below the other, and then fails. */
    @Test
    void aLinkToAFolderThatItIsInIsNotFollowed() throws IOException {
        Files.createSymbolicLink(directory.resolve("c/d/loop"), directory.resolve("c"));
        Files.createSymbolicLink(directory.resolve("c/self"), directory.resolve("c"));
        for (FileInput input :
                List.of(FileInput.of(path("c")), FileInput.ofGlob(directory + "/c/**"))) {
            assertThat(names(FileLister.of(List.of(input)).followsLinks(true)))
                    .containsExactly("c/d/x.log", "c/y.log.gz", "c/z.log");
        }
    }

    @Test
    void followsLinksWithinTheFolderAndReadsAFileOnce() throws IOException {
        Files.createSymbolicLink(directory.resolve("c/a.log"), directory.resolve("c/z.log"));
        Files.createSymbolicLink(directory.resolve("c/b.log"), directory.resolve("c/.x.log"));
        Files.writeString(directory.resolve("c/.x.log"), "12345");
        assertThat(names(FileLister.of(List.of(FileInput.of(path("c")))).followsLinks(true)))
                .containsExactly("c/z.log", "c/b.log", "c/d/x.log", "c/y.log.gz");
        Files.createSymbolicLink(directory.resolve("named"), directory.resolve("c"));
        assertThat(names(FileInput.of(path("named/z.log")), FileInput.of(path("named/d"))))
                .containsExactly("named/z.log", "named/d/x.log");
    }

    @Test
    void leavesPipesAndDevicesOut() throws Exception {
        assumeThat(Files.exists(java.nio.file.Path.of("/usr/bin/mkfifo"))).isTrue();
        String pipe = directory.resolve("c/pipe.log").toString();
        assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
        assertThat(names(FileInput.of(path("c")), FileInput.of(new Path("/dev/zero"))))
                .containsExactly("c/d/x.log", "c/y.log.gz", "c/z.log");
    }

    private void linksOutOf(java.nio.file.Path folder) throws IOException {
        Files.createSymbolicLink(folder.resolve("secret.log"), directory.resolve("a.log"));
        Files.createSymbolicLink(folder.resolve("all"), directory);
        Files.createDirectory(directory.resolve("c2"));
        Files.writeString(directory.resolve("c2/x.log"), "12345");
        Files.createSymbolicLink(folder.resolve("beside"), directory.resolve("c2"));
    }

    @Test
    void saysThatThereIsNoFile() {
        assertThatThrownBy(() -> names(FileInput.ofGlob(directory + "/*.csv")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage(
                        "no file matches the glob: directory="
                                + directory
                                + ", glob='*.csv'; are the names right, do they not start with '.'"
                                + " or '_', and are the files no links, which only"
                                + " followLinks(true) follows?");
        assertThatThrownBy(() -> names(FileInput.ofGlob(directory + "/gone/*.csv")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageStartingWith("no file matches the glob: ");
        assertThatThrownBy(() -> names(FileInput.of(path("gone.log"))))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("gone.log");
        assertThatThrownBy(() -> FileLister.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name a file, a directory or a glob: inputs=[]");
    }

    @ParameterizedTest
    @CsvSource({
        "a[b,     a '[' in a glob ends with ']': glob='a[b'; write '\\[' for the character",
        "'a{b,c', 'a ''{'' in a glob ends with ''}'': glob=''a{b,c''; write ''\\{'' for the character'",
        "a[z-a],  a range in a glob goes from a character to a later one: glob='a[z-a]'; write for example '[a-z]'",
        "a*\\,    a glob does not end with '\\': glob='a*\\'; write '\\\\'"
    })
    void refusesGlobsThatMeanNothing(String glob, String message) {
        assertThatThrownBy(() -> LineFiles.ofGlob(glob))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private List<String> names(FileInput... inputs) throws IOException {
        return names(FileLister.of(List.of(inputs)));
    }

    private List<String> names(FileLister lister) throws IOException {
        Collection<FileSourceSplit> splits = lister.enumerateSplits(lister.paths(), 1);
        assertThat(splits).allMatch(split -> split.length() == 5 && split.fileSize() == 5);
        assertThat(splits.stream().map(FileSourceSplit::splitId)).isSorted();
        return splits.stream()
                .map(split -> split.path().getPath().substring(directory.toString().length() + 1))
                .toList();
    }

    private Path path(String name) {
        return new Path(directory.resolve(name).toUri());
    }
}
