package io.flinkgpu.source;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** What the log says of links that were left out, once however often files are listed. For one thread. */
final class LinkWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(LinkWarnings.class);

    private final Set<Path> outside = new HashSet<>();
    private boolean saidThatNoneIsFollowed;

    void notFollowed(Path link) {
        if (!saidThatNoneIsFollowed) {
            saidThatNoneIsFollowed = true;
            LOG.warn(
                    "links are left out, this one and others below the input folders: link={};"
                            + " use followLinks(true) to read what they lead to",
                    link);
        }
    }

    void leadsOutside(Path link, Path folder) {
        if (outside.add(link)) {
            LOG.warn(
                    "a link that leads out of its input folder is left out: link={}, folder={};"
                            + " name the file or folder that it leads to as an input",
                    link,
                    folder);
        }
    }
}
